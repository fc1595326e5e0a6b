// Lists, folders and folios of archives: spec archives.md §10, §21.
#include "runtime/archive/format/names.h"

#include <gtest/gtest.h>

#include <cerrno>

#include "runtime/model/pm_codes.h"
#include "tests/unit/archive/folder.h"

namespace pmjit::test {
namespace {

class Names : public ::testing::Test {
 protected:
  // The names with the test's folder taken off, blanks between them; or the code.
  std::string expand(const std::string& spec) const {
    const auto names = expand_archive_names(spec);
    if (!names) return fmt::format("{}", names.error().pm_code());
    std::string out;
    for (std::string_view name : *names) {
      if (name.starts_with(folder_.path(""))) name.remove_prefix(folder_.path("").size());
      out += (out.empty() ? "" : " ") + std::string(name);
    }
    return out;
  }
  // What read_folio() says of a text: "host=archive …" or the error's, the folio's path being F.
  std::string folio(std::string_view text) const {
    folder_.write("f", text);
    const auto entries = read_folio(folder_.path("f"));
    if (!entries) {
      std::string what = entries.error().what();
      const size_t at = what.find(folder_.path("f"));
      return at == what.npos ? what : what.replace(at, folder_.path("f").size(), "F");
    }
    std::string out;
    for (const FolioEntry& entry : *entries) out += entry.host + "=" + entry.archive + " ";
    return out;
  }
  Folder folder_;
};

TEST_F(Names, AListIsTakenApartAtCommas) {
  EXPECT_EQ(expand("a"), "a");
  EXPECT_EQ(expand("a,dir/b.meta,a,c"), "a dir/b.meta c");
  EXPECT_EQ(expand("a,"), "a");
  EXPECT_EQ(expand(",a"), fmt::format("{}", -ENOENT));
  EXPECT_EQ(expand("a,,b"), fmt::format("{}", -ENOENT));
  EXPECT_EQ(expand(""), fmt::format("{}", pm_err::E_LOGFILE));
}

TEST_F(Names, AFolderIsEveryArchiveInItOneLevelDeep) {
  for (const char* name : {"d/b.meta", "d/b.0", "d/a.meta.xz", "d/a.0.xz", "d/.c.meta.zst",
                           "d/b.meta.gz", "d/.meta", "d/e.0", "d/sub/x.meta", "empty/README"}) {
    folder_.write(name, "x");
  }
  EXPECT_EQ(expand(folder_.path("d")), "d/.c d/a d/b");
  EXPECT_EQ(expand(folder_.path("d/")), "d/.c d/a d/b");
  EXPECT_EQ(expand(folder_.path("d/b") + "," + folder_.path("d")), "d/b d/.c d/a");
  EXPECT_EQ(expand(folder_.path("empty")), fmt::format("{}", pm_err::E_LOGFILE));
  EXPECT_EQ(expand(folder_.path("empty") + ",z"), "z");
}

TEST_F(Names, AFolioIsTheArchivesInIt) {
  folder_.write("f",
                "PCPFolio\nVersion: 1\n# note\nCreated: on h\nArchive:  h  a/b\nArchive: i c\n");
  EXPECT_EQ(expand(folder_.path("f")), "a/b c");
  folder_.write("g", "PCPFolio\nVersion: 2\n");
  const auto names = expand_archive_names(folder_.path("g"));
  ASSERT_FALSE(names.has_value());
  EXPECT_EQ(names.error().what(), "unknown version archive folio " + folder_.path("g"));
}

TEST_F(Names, FolioErrorsAreThoseOfTheRealTools) {
  EXPECT_EQ(folio(""), "archive folio F has no header");
  EXPECT_EQ(folio("PCPFolio\n"), "archive folio F has no version");
  EXPECT_EQ(folio("xPCPFolio\nVersion: 1\n"), "archive folio F has bad magic");
  EXPECT_EQ(folio("PCPFolio\nVersion: 2\n"), "unknown version archive folio F");
  EXPECT_EQ(folio("PCPFolio\nVersion:1\n"), "unknown version archive folio F");
  EXPECT_EQ(folio("PCPFolio\n\nVersion: 1\n"), "unknown version archive folio F");
  EXPECT_EQ(folio("PCPFolioX\nVersion: 1x\nArchive:\n"), "missing host on archive folio line 3");
  EXPECT_EQ(folio("PCPFolio\nVersion: 1\n#\nArchive: h  \n"),
            "missing path on archive folio line 4");
  EXPECT_EQ(folio("PCPFolio\nVersion: 1\nArchive:h a\n"), "missing path on archive folio line 3");
  EXPECT_EQ(read_folio("").error().what(), "cannot open empty archive folio name");
  EXPECT_EQ(read_folio("no/f").error().what(),
            "cannot open archive folio no/f: No such file or directory");
  EXPECT_EQ(read_folio("/").error().what(), "archive folio / has no header");
}

TEST_F(Names, FolioLines) {
  EXPECT_EQ(folio("PCPFolio\nVersion: 1\n"), "");
  EXPECT_EQ(folio("PCPFolio\nVersion: 1\r\n Archive: no no\nArchive:\tone\t//b junk\r\n"),
            "one=//b ");
  EXPECT_EQ(folio("PCPFolio\nVersion: 1\nArchive: h x/y"), "h=" + folder_.path("x/y") + " ");
}

}  // namespace
}  // namespace pmjit::test
