// Members of archives in compressed form: every format gives the bytes that were compressed, and
// nothing but an error where it is damaged.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "runtime/archive/format/member.h"
#include "runtime/base/limits.h"
#include "runtime/model/pm_codes.h"
#include "tests/unit/archive/folder.h"
#include "tests/unit/archive/support.h"
#include "tests/unit/turns.h"

namespace pmjit::test {
namespace {

constexpr const char* kForms[] = {"one-block.xz", "blocks.xz",  "lzma.lzma", "bzip2.bz2",
                                  "gzip.gz",      "compress.Z", "zstd.zst"};

std::string compressed(std::string_view form) {
  return (std::filesystem::path(PMJIT_GOLDEN) / "compressed" / form).string();
}

std::vector<std::byte> bytes_of(const std::string& path) {
  const auto file = open_file(path);
  const auto all = read_whole(**file, 1u << 20);
  return {all->data(), all->data() + all->size()};
}

std::vector<std::byte> original() { return bytes_of(golden("vols-v3.0")); }

Compression kind_of(std::string_view form) { return take_apart(form).compression; }

// All of a compressed file, or none of it.
Result<std::vector<std::byte>> decoded(std::vector<std::byte> packed, std::string_view form) {
  auto file = decompress(memory_file(std::move(packed)), kind_of(form), std::string(form));
  if (!file) return std::unexpected(file.error());
  auto all = read_whole(**file, 1u << 20);
  if (!all) return std::unexpected(all.error());
  return std::vector<std::byte>(all->data(), all->data() + all->size());
}

TEST(Compressed, EveryFormIsTheOriginal) {
  for (const char* form : kForms) {
    const auto bytes = decoded(bytes_of(compressed(form)), form);
    ASSERT_TRUE(bytes.has_value()) << bytes.error().text();
    EXPECT_TRUE(*bytes == original()) << form;
  }
}

TEST(Compressed, AnyPlaceIsRead) {
  const auto whole = original();
  for (const char* form : kForms) {
    const auto file = open_member(compressed(form));
    ASSERT_TRUE(file.has_value()) << file.error().text();
    ASSERT_EQ((*file)->size(), whole.size());
    for (size_t offset = 0; offset <= whole.size() + 1; offset += 13) {
      std::vector<std::byte> part(300);
      const auto got = (*file)->read(offset, part);
      ASSERT_TRUE(got.has_value());
      const size_t left = offset < whole.size() ? whole.size() - offset : 0;
      ASSERT_EQ(*got, std::min<size_t>(300, left)) << form << offset;
      EXPECT_TRUE(std::equal(part.begin(), part.begin() + static_cast<long>(*got),
                             whole.begin() + static_cast<long>(std::min(offset, whole.size()))));
    }
  }
}

TEST(Compressed, EveryPrefixIsRefused) {
  for (const char* form : kForms) {
    if (std::string_view(form) == "compress.Z") continue;  // nothing in it says where it ends
    const auto packed = bytes_of(compressed(form));
    for (size_t size = 0; size < packed.size(); ++size) {
      const auto bytes = decoded({packed.begin(), packed.begin() + static_cast<long>(size)}, form);
      ASSERT_FALSE(bytes.has_value()) << form << " " << size;
      EXPECT_EQ(bytes.error().pm_code(), pm_err::E_LOGREC);
      EXPECT_NE(bytes.error().place().find(form), std::string::npos);
      EXPECT_FALSE(bytes.error().help().empty());
    }
  }
}

// Formats with a checksum: no flipped bit gives other bytes. The others: no crash.
TEST(Compressed, NoFlippedBitGoesUnseen) {
  for (const char* form : kForms) {
    const bool checked =
        kind_of(form) != Compression::lzma && form != std::string_view("compress.Z");
    auto packed = bytes_of(compressed(form));
    for (size_t at = 0; at < packed.size(); at += kPlaceStep) {
      std::byte& byte = packed[at];
      for (const unsigned flip : {0x01u, 0x10u, 0x80u}) {
        byte ^= std::byte(static_cast<uint8_t>(flip));
        const auto bytes = decoded(packed, form);
        if (checked && bytes) {
          EXPECT_TRUE(*bytes == original()) << form;
        }
        byte ^= std::byte(static_cast<uint8_t>(flip));
      }
    }
  }
}

TEST(Compressed, FilesOneBehindTheOther) {
  auto twice = original();
  twice.insert(twice.end(), twice.begin(), twice.begin() + static_cast<long>(original().size()));
  for (const char* form : {"one-block.xz", "blocks.xz", "bzip2.bz2", "gzip.gz", "zstd.zst"}) {
    const auto packed = bytes_of(compressed(form));
    auto both = packed;
    both.insert(both.end(), packed.begin(), packed.end());
    const auto bytes = decoded(both, form);
    ASSERT_TRUE(bytes.has_value()) << form << bytes.error().text();
    EXPECT_TRUE(*bytes == twice) << form;
  }
}

TEST(Compressed, WhatFollowsTheEnd) {
  const auto with = [](const char* form, std::string_view more) {
    auto packed = bytes_of(compressed(form));
    for (const char c : more) packed.push_back(static_cast<std::byte>(c));
    return decoded(std::move(packed), form).has_value();
  };
  const std::string_view zeros("\0\0\0\0", 4);
  EXPECT_TRUE(with("gzip.gz", zeros));
  EXPECT_TRUE(with("one-block.xz", zeros));
  EXPECT_TRUE(with("bzip2.bz2", "something"));
  for (const char* form : {"gzip.gz", "one-block.xz", "zstd.zst"}) {
    EXPECT_FALSE(with(form, "something")) << form;
  }
}

TEST(Compressed, NamesOfOtherFormats) {
  const auto code = [](std::vector<std::byte> bytes, const char* name) {
    const auto file = decompress(memory_file(std::move(bytes)), kind_of(name), name);
    return file ? Fault::usage : file.error().fault();
  };
  EXPECT_EQ(code(bytes_of_hex("1f1e 0000"), "a.z"), Fault::unsupported);
  EXPECT_EQ(code(bytes_of_hex("1f9d 88"), "a.Z"), Fault::format);  // codes of 8 bits
  EXPECT_EQ(code(bytes_of(golden("vols-v3.0")), "a.gz"), Fault::format);
  EXPECT_TRUE(decoded(bytes_of(compressed("gzip.gz")), "a.Z").has_value());
  EXPECT_TRUE(decoded(bytes_of(compressed("compress.Z")), "a.gz").has_value());
  EXPECT_TRUE(decoded(bytes_of(compressed("one-block.xz")), "a.lzma").has_value());
}

TEST(Compressed, AnArchiveOfThem) {
  const std::string whole = content(Archive::open(golden("vols-v3")));
  for (const char* form : kForms) {
    const Folder folder;
    for (const char* member : {"1", "2", "meta", "index"}) {
      folder.copy(golden("vols-v3.") + member, fmt::format("foo.{}", member));
    }
    const std::string suffix = form + std::string_view(form).rfind('.');
    folder.copy(compressed(form), "foo.0" + suffix);
    EXPECT_EQ(content(Archive::open(folder.path("foo"))), whole) << form;
    EXPECT_EQ(content(Archive::open(folder.path("foo.0" + suffix))), whole) << form;
  }
}

TEST(Compressed, ADamagedLaterVolumeEndsWithAnErrorThatNamesIt) {
  const Folder folder;
  for (const char* member : {"0", "2", "meta", "index"}) {
    folder.copy(golden("vols-v3.") + member, fmt::format("foo.{}", member));
  }
  folder.write("foo.1.xz", "garbage");
  const auto archive = Archive::open(folder.path("foo"));
  ASSERT_TRUE(archive.has_value()) << archive.error().text();
  EXPECT_TRUE(content(**archive).ends_with(fmt::format("error {}\n", pm_err::E_LOGREC)));
}

// More than stays in memory goes to the disk and comes back.
TEST(Spool, LargeAndSmall) {
  for (const size_t steps : {size_t{0}, size_t{1}, limits::kDecodedInMemoryMax / 65536 + 2}) {
    Spool spool;
    std::vector<std::byte> part(65536);
    for (size_t i = 0; i < steps; ++i) {
      part.assign(part.size(), std::byte(static_cast<uint8_t>(i)));
      ASSERT_TRUE(spool.append(part).has_value());
    }
    const auto file = std::move(spool).finish();
    ASSERT_EQ(file->size(), steps * part.size());
    for (size_t i = 0; i < steps; ++i) {
      ASSERT_EQ(file->read(i * part.size() + 7, std::span(part).first(1)).value_or(0), 1u);
      EXPECT_EQ(part[0], std::byte(static_cast<uint8_t>(i)));
    }
  }
}

TEST(Spool, AFolderThatIsNotThereIsNamed) {
  setenv("PCP_TMPFILE_DIR", "/dev/null/none", 1);
  Spool spool;
  const std::vector<std::byte> large(limits::kDecodedInMemoryMax + 1);
  const auto done = spool.append(large);
  unsetenv("PCP_TMPFILE_DIR");
  ASSERT_FALSE(done.has_value());
  EXPECT_EQ(done.error().pm_code(), -ENOTDIR);
  EXPECT_NE(done.error().text().find("/dev/null/none"), std::string::npos);
  EXPECT_NE(done.error().help().find("PCP_TMPFILE_DIR"), std::string::npos);
}

TEST(MemberStore, DecodesOnceAndOpensPlainFilesAnew) {
  MemberStore store;
  const auto first = store.open(compressed("gzip.gz")), again = store.open(compressed("gzip.gz"));
  ASSERT_TRUE(first.has_value() && again.has_value());
  EXPECT_EQ(*first, *again);
  EXPECT_NE(store.open(golden("vols-v3.0")).value(), store.open(golden("vols-v3.0")).value());
}

}  // namespace
}  // namespace pmjit::test
