// The same for unit tests: what precompiled.h has, and GoogleTest.
#pragma once

#include <gtest/gtest.h>

#include "cmake/precompiled.h"
