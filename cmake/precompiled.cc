// Carries the precompiled headers: a target needs one source.
