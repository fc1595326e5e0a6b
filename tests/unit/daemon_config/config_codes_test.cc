// A case for each code of problems.def: where, what, and what to do.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/unit/daemon_config/memory_files.h"

namespace pmjit {
namespace {

struct CodeCase {
  const char* text;
  const char* problems;
};

constexpr const char* kSinkAm =
    "[[sink]]\nname='am'\ntype='alertmanager'\nurls=['http://am:9093']\n";

const CodeCase kCodeCases[] = {
    {"a = \n",
     "C01 pmjit.toml:1:5 expected value, saw '\\n' | TOML has NAME = VALUE, and "
     "[TABLE] or [[LIST]] in a line of its own\n"},
    // toml++ would assume that these are not there.
    {"[\x1b]\n",
     "C01 pmjit.toml:1:2 expected bare key starting character or string "
     "delimiter, saw '\\u001B' | TOML has NAME = VALUE, and "
     "[TABLE] or [[LIST]] in a line of its own\n"},
    {"[daemon]\nstate = \"/run/gone/state\"\n",
     "C21 pmjit.toml:2:9 this user cannot write /run/gone/state | create its folder, or run the "
     "daemon as a user who may write there\n"},
    {"[[sink]]\nname = \"a\"\ntype = \"exec\"\nargv = [\"/run/gone/page\"]\n",
     "C21 pmjit.toml:4:9 /run/gone/page is not a program that this user can run | messages to this "
     "sink fail until it is there\n"},
    {"\xc3\xbf = 1\n",
     "C01 pmjit.toml:1:1 expected keys, tables, whitespace or "
     "comments, saw '\xc3\xbf' | TOML has NAME = VALUE, and "
     "[TABLE] or [[LIST]] in a line of its own\n"},
    {"[[hosts]]\nnames = [web1]\n",
     "C01 pmjit.toml:2:10 this is not a value | a text needs quotes, as in names = [\"web1\"]; "
     "a "
     "flag is true or false\n"},
    {"[daemon]\nstate = var/state\n",
     "C01 pmjit.toml:2:9 this is not a value | a text needs quotes: state = \"var/state\"\n"},
    {"[fetch]\ntimeout = 10s\n",
     "C01 pmjit.toml:2:13 this is not a value | a time needs quotes: \"10s\"\n"},
    // C13: a list of hosts as -h takes it, a port.
    {"[[hosts]]\nnames = [\"@web.txt\"]\n",
     "C13 pmjit.toml:2:10 @web.txt is how -h names a file of hosts | write file = \"web.txt\"\n"},
    {"[[hosts]]\nnames = [\"web1:99999\"]\n",
     "C13 pmjit.toml:2:10 host specification web1:99999: there is no port 99999 | ports are 1 to "
     "65535; a collector's is 44321\n"},
    {"[daemon]\nzone = \"Europe/Berln\"\n",
     "C14 pmjit.toml:2:8 no such time zone: it would be UTC | did you mean Europe/Berlin?\n"},
    // C02
    {"[fetch]\ntimeout = 3\n",
     "C02 pmjit.toml:2:11 `timeout` is an integer, not a duration like \"10s\" | write \"3s\" or "
     "\"3ms\"\n"},
    {"[fetch]\ntimeout = \"3\"\n",
     "C02 pmjit.toml:2:11 `timeout` is \"3\", not a duration like \"10s\" | write whole numbers "
     "with units: ms s m min h d w, as in \"1h30m\"\n"},
    {"[http]\nlisten = 9090\n",
     "C02 pmjit.toml:2:10 `listen` is an integer, not a text or a list of texts | write "
     "\"127.0.0.1:9090\"\n"},
    {"[daemon]\nzone = 1\n", "C02 pmjit.toml:2:8 `zone` is an integer, not a text | write \"1\"\n"},
    {"[daemon]\nthreads = 1.5\n",
     "C02 pmjit.toml:2:11 `threads` is a number with a fraction, not an integer | write threads = "
     "4\n"},
    {"[http]\ninsecure = \"yes\"\n",
     "C02 pmjit.toml:2:12 `insecure` is a text, not true or false | write insecure = true\n"},
    {"daemon = 3\n", "C02 pmjit.toml:1:1 `daemon` is an integer, not a table | write [daemon]\n"},
    {"rules = ['a.pmie']\n",
     "C02 pmjit.toml:1:1 `rules` is a list, not a list of tables | write [[rules]]; below it write "
     "files = [\"rules.pmie\"]\n"},
    {"[hosts]\nnames = ['a']\n",
     "C02 pmjit.toml:1:2 `hosts` is a table, not a list of tables | write [[hosts]]\n"},
    {"[[hosts]]\nnames = 'a'\n",
     "C02 pmjit.toml:2:9 `names` is a text, not a list of texts | write [\"a\"]\n"},
    {"[[hosts]]\nnames = ['a', 2]\n",
     "C02 pmjit.toml:2:15 `names` is an integer, not a text | write \"2\"\n"},
    {"[alerts]\nlabels = { team = 1 }\n",
     "C02 pmjit.toml:2:19 `team` is an integer, not a text | write \"1\"\n"},
    {"[alerts]\nhost_down = 3\n",
     "C02 pmjit.toml:2:1 `host_down` is an integer, not a table | write [alerts.host_down]\n"},
    // C03
    {"[fetch]\ntimout = \"3s\"\n",
     "C03 pmjit.toml:2:1 unknown key `timout` | [fetch] has `timeout`\n"},
    {"[fetch]\nconnect = \"3s\"\n",
     "C03 pmjit.toml:2:1 unknown key `connect` | [fetch] has `connections`\n"},
    {"[fetch]\nlisten = \"x\"\n",
     "C03 pmjit.toml:2:1 unknown key `listen` | `listen` is a key of [http]\n"},
    {"[fetch]\nqqq = 1\n",
     "C03 pmjit.toml:2:1 unknown key `qqq` | [fetch] has `timeout`, `connect_timeout`, `backoff`, "
     "`backoff_max`, `connections`\n"},
    {"[[host]]\nnames = ['a']\n", "C03 pmjit.toml:1:3 unknown key `host` | there is [[hosts]]\n"},
    {"listen = ''\n", "C03 pmjit.toml:1:1 unknown key `listen` | `listen` is a key of [http]\n"},
    {"[[sink]]\nname='f'\ntype='file'\npath='/dev/null'\nargv=['/bin/true']\n",
     "C03 pmjit.toml:5:1 unknown key `argv` | `argv` is a key of a sink of type exec\n"},
    // C04
    {"[daemon]\nthreads = 0\n", "C04 pmjit.toml:2:11 `threads` is 0, not 1 to 256\n"},
    {"[fetch]\nconnect_timeout = '2h'\n",
     "C04 pmjit.toml:2:19 `connect_timeout` is 2h, not 1ms to 1h\n"},
    {"[log]\nlevel = 'warning'\n",
     "C04 pmjit.toml:2:9 `level` is \"warning\", not one of error, warn, info, debug | write "
     "\"warn\"\n"},
    {"[alerts]\nlabels = { 'a-b' = 'x' }\n", "C04 pmjit.toml:2:12 \"a-b\" is not a label name\n"},
    {"[alerts]\nseverity_label = { page = 'x' }\n",
     "C04 pmjit.toml:2:20 \"page\" is not one of info, warning, critical\n"},
    {"[alerts]\nlabel_host = 'severity'\n",
     "C04 pmjit.toml:2:14 \"severity\" is a label that every alert has | a label name has letters, "
     "digits and _, and does not begin with a digit\n"},
    {"[alerts]\nlabels = { severity = 'x' }\n",
     "C04 pmjit.toml:2:12 \"severity\" is a label that every alert has\n"},
    {"[[rules]]\nfiles = ['pmjit.toml']\ninterval = '1ms'\n",
     "C04 pmjit.toml:3:12 `interval` is 1ms, not 100ms to 1d\n"},
    {"[[hosts]]\nnames = ['a']\nspec = \"a\\u0000b\"\n", "C04 pmjit.toml:3:8 `spec` has a NUL\n"},
    {"[[rules]]\ninterval = '1s'\n",
     "C04 pmjit.toml:1:1 [[rules]] needs `files` | write files = [\"rules.pmie\"]\n"},
    {"[[hosts]]\ngroup = 'web'\n",
     "C04 pmjit.toml:1:1 [[hosts]] needs `names` or `file` | write names = [\"web1\"], or file = "
     "\"hosts.txt\"\n"},
    {"[[hosts]]\nnames = ['web[9-1]']\n",
     "C04 pmjit.toml:2:10 hosts: 9 is greater than 1 | write [1-9]\n"},
    {"[[sink]]\nname = 'x'\n",
     "C04 pmjit.toml:1:1 [[sink]] needs `type` | write type = \"alertmanager\", or one of "
     "alertmanager, webhook, exec, file\n"},
    {"[[sink]]\nname='w'\ntype='webhook'\n",
     "C04 pmjit.toml:1:1 a sink of type webhook needs `url` | write url = \"…\"\n"},
    {"[[sink]]\nname='e'\ntype='exec'\nargv=['true']\n",
     "C04 pmjit.toml:4:6 `argv` does not begin with an absolute path | write "
     "[\"/usr/bin/program\", \"argument\"]\n"},
    {"[[sink]]\nname='f'\ntype='file'\npath='/f'\nretry_min='1h'\n",
     "C04 pmjit.toml:2:6 sink f: `retry_min` is longer than `retry_max`\n"},
    {"[fetch]\nbackoff = '2m'\n",
     "C04 pmjit.toml:2:1 `fetch.backoff` is longer than `fetch.backoff_max`\n"},
    // C05, within a file
    {"[[sink]]\nname='a'\ntype='file'\npath='/f'\n[[sink]]\nname='a'\ntype='file'\npath='/f'\n",
     "C05 pmjit.toml:6:6 `sink a` is set twice | pmjit.toml:2:6 has the name, too\n"},
    // C06
    {"[[rules]]\nfiles = ['no.pmie']\n",
     "C06 pmjit.toml:2:10 no.pmie: no such file | paths are as seen from the folder of this "
     "file\n"},
    {"[[rules]]\nfiles = ['*.pmie']\n", "C06 pmjit.toml:2:10 no file matches *.pmie\n"},
    {"[[hosts]]\nfile = 'x/*.hosts'\n", "C06 pmjit.toml:2:8 no file matches x/*.hosts\n"},
    {"include = ['conf.d/*.toml']\n", "C06 pmjit.toml:1:12 no file matches conf.d/*.toml\n"},
    {"include = ['a.toml']\n",
     "C06 pmjit.toml:1:12 file a.toml: no such file | is the name right, and may this user read "
     "it?\n"},
    // C07
    {"[[hosts]]\nnames = ['a[1-3]']\n[[hosts]]\nnames = ['b', 'a2']\n",
     "C07 pmjit.toml:4:15 host a2 is named twice | pmjit.toml:2:10 names it, too\n"},
    // C09
    {"[[hosts]]\nnames = ['a']\n[[rules]]\nfiles = ['pmjit.toml']\nhosts = ['group=\"web\"']\n",
     "C09 pmjit.toml:5:9 no host has these labels | hosts have host=\"a\"\n"},
    // C10
    {"[[rules]]\nfiles = ['pmjit.toml']\nhosts = ['group~web']\n",
     "C10 pmjit.toml:3:10 matcher: \"group~web\" is not a label name | write NAME=\"VALUE\", with "
     "=, "
     "!=, =~ or !~\n"},
    {"[[route]]\nsinks = []\nmatch = ['a=~\"(\"']\n",
     "C10 pmjit.toml:3:10 matcher: expression: the ( at character 1 has no ) | write a POSIX "
     "extended regular "
     "expression; it matches the whole value\n"},
    // C11
    {"[[route]]\nsinks = ['am']\n",
     "C11 pmjit.toml:2:10 there is no sink `am` | no [[sink]] is defined\n"},
    // C12
    {"[http]\ntoken_file = 'token'\n",
     "C12 pmjit.toml:2:14 cannot read the secret token | is the name right, and may this user read "
     "it?\n"},
    {"[http]\ntoken_file = 'cred:token'\n",
     "C12 pmjit.toml:2:14 $CREDENTIALS_DIRECTORY is not set | the service manager sets it: "
     "LoadCredential= in the unit\n"},
    // C13
    {"[[sink]]\nname='a'\ntype='alertmanager'\nurls=['am:9093']\n",
     "C13 pmjit.toml:4:7 \"am:9093\" is not a URL | write http://HOST:PORT or https://HOST:PORT\n"},
    {"[[sink]]\nname='a'\ntype='webhook'\nurl='http://me:pw@x/'\n",
     "C13 pmjit.toml:4:5 \"http://me:pw@x/\" is not a URL | name user and password by `user` and "
     "`password_file`\n"},
    {"[http]\nlisten = '9145'\n",
     "C13 pmjit.toml:2:10 \"9145\" is not an address to listen at | write HOST:PORT, [IPV6]:PORT, "
     "or "
     "\"\" for none\n"},
    {"[http]\nlisten = ['127.0.0.1:1', '0.0.0.0:9145']\n",
     "C13 pmjit.toml:2:1 anybody who reaches 0.0.0.0:9145 could read everything | listen at "
     "127.0.0.1:PORT, or write insecure = true (TLS is not supported yet)\n"},
    {"[[hosts]]\nnames = ['a']\nspec = '%n:x'\n",
     "C13 pmjit.toml:3:8 host specification a:x: non-numeric port at \"x\" | write HOST, "
     "HOST:PORT, "
     "[IPV6]:PORT, unix:/PATH or local:\n"},
    {"[[hosts]]\nnames = ['a[1-600]']\nspec = '%n?compress'\n",
     "C13 pmjit.toml:3:8 host specification a1?compress: no collector supports compressed "
     "connections | remove \"compress\"\n"},
    {"[[hosts]]\nnames = ['a']\nspec = '%{site}'\n",
     "C13 pmjit.toml:3:8 spec: a has no label site | give it in labels, or write %n for the "
     "name\n"},
    // C18
    {"[shard]\nindex = 1\n", "C18 pmjit.toml:1:2 [shard] is not supported yet\n"},
    {"[[inhibit]]\nequal = []\n", "C18 pmjit.toml:1:3 [inhibit] is not supported yet\n"},
    {"[daemon]\nname = 'd1'\n", "C18 pmjit.toml:2:1 `name` of [daemon] is not supported yet\n"},
    {"[daemon]\nuser = 'pcp'\n", "C18 pmjit.toml:2:1 `user` of [daemon] is not supported yet\n"},
    {"[[sink]]\nname='run'\ntype='exec'\nargv=['/bin/x']\nconcurrency=4\n",
     "C18 pmjit.toml:5:1 `concurrency` of a sink of type exec is not supported yet\n"},
    {"[[sink]]\nname='m'\ntype='smtp'\nfrom='x'\n",
     "C18 pmjit.toml:3:6 type \"smtp\" is not supported yet | types are alertmanager, webhook, "
     "exec, "
     "file\n"},
};

TEST(ConfigCodes, EachHasItsCase) {
  for (const CodeCase& one : kCodeCases) EXPECT_EQ(problems_of(one.text), one.problems) << one.text;
}

TEST(ConfigCodes, UnknownSinkNearOne) {
  EXPECT_EQ(problems_of(std::string(kSinkAm) + "[[route]]\nsinks=['a']\n"),
            "C11 pmjit.toml:6:8 there is no sink `a` | there is `am`\n");
  EXPECT_EQ(problems_of(std::string(kSinkAm) + "[[route]]\nsinks=['pager']\n"),
            "C11 pmjit.toml:6:8 there is no sink `pager` | sinks are am\n");
  EXPECT_EQ(problems_of(std::string(kSinkAm) +
                        "[[rules]]\nfiles=['pmjit.toml']\n[rules.alert.'*']\nnotify=['mail']\n"),
            "C11 pmjit.toml:8:9 there is no sink `mail` | sinks are am\n");
}

TEST(ConfigCodes, Zone) {
  EXPECT_EQ(problems_of("[daemon]\nzone = 'Europe/Berlin'\n"), "");
  const std::string problems = problems_of("[daemon]\nzone = 'Europe/Berlim'\n");
  EXPECT_TRUE(problems.starts_with("C14 pmjit.toml:2:8 ")) << problems;
}

TEST(ConfigCodes, AreShownInTheirText) {
  EXPECT_EQ(read_text("[daemon]\n\n\n[fetch]\n\n\n\n\ntimout = \"3s\"\n").problems.text(),
            "error[C03]: unknown key `timout`\n"
            "  --> pmjit.toml:9:1\n"
            "   |\n"
            " 9 | timout = \"3s\"\n"
            "   | ^^^^^^\n"
            "   = help: [fetch] has `timeout`\n");
}

TEST(ConfigCodes, FiftyErrorsAreShown) {
  std::string text = "[fetch]\n";
  for (int i = 0; i < 53; ++i) text += "q" + std::to_string(i) + "z = 1\n";
  const std::string shown = read_text(text).problems.text();
  EXPECT_NE(shown.find("q49z"), std::string::npos);
  EXPECT_EQ(shown.find("q50z"), std::string::npos);
  EXPECT_TRUE(shown.ends_with("\n3 more errors\n")) << shown;
}

// Those that only a daemon can find have tests of their own: C08, C15, C17 (config_rules_test.cc),
// C16 (config_override_test.cc), C19 and C20 (tests/cmd/files).
TEST(ConfigCodes, NoneIsForgotten) {
  std::set<std::string, std::less<>> seen{"C08", "C14", "C15", "C16", "C17", "C19", "C20"};
  for (const CodeCase& one : kCodeCases) seen.emplace(std::string(one.problems).substr(0, 3));
  const std::set<std::string, std::less<>> all{
#define PROBLEM(name, code, severity, text) code,
#include "rules/daemon_config/problems.def"
#undef PROBLEM
  };
  EXPECT_EQ(seen, all);
}

}  // namespace
}  // namespace pmjit
