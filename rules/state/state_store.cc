#include "rules/state/state_store.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <type_traits>
#include <utility>

namespace pmjit {

namespace {

constexpr int64_t kSchemaNumber = 1;
constexpr const char* kSchema = R"(
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS alert (rule TEXT, host TEXT, inst TEXT, level INTEGER,
  phase INTEGER, since_ms INTEGER, held_ms INTEGER, clear_ms INTEGER, said INTEGER, at_ms INTEGER,
  dark_ms INTEGER, noted INTEGER, reason TEXT, value TEXT, labels TEXT, notes TEXT, shape TEXT,
  sinks TEXT, interval_ms INTEGER, ended_ms INTEGER,
  PRIMARY KEY (rule, host, inst, level)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS hold (rule TEXT, host TEXT, action INTEGER, last REAL, result INTEGER,
  PRIMARY KEY (rule, host, action)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS history (id INTEGER PRIMARY KEY, at_ms INTEGER, rule TEXT, host TEXT,
  inst TEXT, event TEXT, severity TEXT, value TEXT, reason TEXT);
CREATE INDEX IF NOT EXISTS history_at ON history (at_ms);
CREATE INDEX IF NOT EXISTS history_rule ON history (rule, host, at_ms);
CREATE TABLE IF NOT EXISTS outbox (id INTEGER PRIMARY KEY, sink TEXT, dedup TEXT, rule TEXT,
  host TEXT, event TEXT, body TEXT, created_ms INTEGER, attempts INTEGER, error TEXT,
  state INTEGER, UNIQUE (sink, dedup));
)";

constexpr int kPrimaryCode = 0xff;  // of an extended code of SQLite
constexpr int64_t kDayMs = 24 * 3'600 * 1'000LL;
constexpr int64_t kHistoryRowsMost = 1'000'000;

int64_t milliseconds(WallTime when) {
  return std::chrono::floor<std::chrono::milliseconds>(when.time_since_epoch()).count();
}
WallTime wall_time(int64_t ms) { return WallTime(std::chrono::milliseconds(ms)); }

// Pairs as text: each name and each value behind its length, so any bytes go in.
void put_text(std::string& out, std::string_view text) {
  out += fmt::format("{}:{}", text.size(), text);
}
std::optional<std::string> take_text(std::string_view& from) {
  const size_t colon = from.find(':');
  if (colon == std::string_view::npos || colon > 9) return std::nullopt;
  size_t length = 0;
  for (const char c : from.substr(0, colon)) {
    if (c < '0' || c > '9') return std::nullopt;
    length = length * 10 + static_cast<size_t>(c - '0');
  }
  from.remove_prefix(colon + 1);
  if (length > from.size()) return std::nullopt;
  std::string out(from.substr(0, length));
  from.remove_prefix(length);
  return out;
}
std::string labels_text(const AlertLabels& labels) {
  std::string out;
  for (const auto& [name, value] : labels) {
    put_text(out, name);
    put_text(out, value);
  }
  return out;
}
AlertLabels labels_of(std::string_view text) {
  AlertLabels out;
  while (!text.empty()) {
    auto name = take_text(text);
    auto value = take_text(text);
    if (!name || !value) break;
    out.insert_or_assign(*std::move(name), *std::move(value));
  }
  return out;
}
std::string list_text(const std::vector<std::string>& list) {
  std::string out;
  for (const std::string& text : list) put_text(out, text);
  return out;
}
std::vector<std::string> list_of(std::string_view text) {
  std::vector<std::string> out;
  while (!text.empty()) {
    auto one = take_text(text);
    if (!one) break;
    out.push_back(*std::move(one));
  }
  return out;
}

Error state_error(const std::string& path, const std::string& what) {
  return Error(Fault::io, what).at("state", path);
}

// A damaged database with what was not yet moved into it: somebody may want to mend it. Its name
// there.
Result<std::string> move_away(const std::string& path, WallTime now) {
  const std::string aside = fmt::format("{}.bad-{}", path, unix_seconds(now));
  if (::rename(path.c_str(), aside.c_str()) != 0) {
    return fail(state_error(
        path, fmt::format("it is damaged, and cannot be moved away: {}", std::strerror(errno))));
  }
  (void)::rename((path + "-wal").c_str(), (aside + "-wal").c_str());  // there may be none
  ::unlink((path + "-shm").c_str());
  return aside;
}

}  // namespace

// The right to the folder, held as long as the process lives.
class StateStore::Lock {
 public:
  static Result<std::unique_ptr<Lock>> take(const std::string& folder) {
    const std::string path = folder + "/lock";
    const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0) {
      return fail(state_error(path, fmt::format("cannot be opened: {}", std::strerror(errno)))
                      .help("[daemon] state names a folder that the daemon may write"));
    }
    auto out = std::make_unique<Lock>(fd);
    if (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
      std::array<char, 32> owner{};
      const ssize_t bytes = ::pread(fd, owner.data(), owner.size() - 1, 0);
      return fail(state_error(path, fmt::format("another daemon has this state: process {}",
                                                bytes > 0 ? owner.data() : "unknown"))
                      .help("stop it first, or give this one another [daemon] state"));
    }
    const std::string own = fmt::format("{}", ::getpid());
    (void)!::ftruncate(fd, 0);
    (void)!::pwrite(fd, own.data(), own.size(), 0);
    return out;
  }
  explicit Lock(int fd) : fd_(fd) {}
  ~Lock() { ::close(fd_); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  int fd_;
};

// One connection, and its prepared statements by their text.
class StateStore::Database {
 public:
  explicit Database(std::string path) : path_(std::move(path)) {}
  ~Database() {
    for (auto& [text, statement] : prepared_) sqlite3_finalize(statement);
    sqlite3_close(db_);
  }
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] Error error() const {
    return state_error(path_, db_ == nullptr ? "out of memory" : sqlite3_errmsg(db_));
  }

  [[nodiscard]] Result<void> connect() {
    if (sqlite3_open(path_.c_str(), &db_) != SQLITE_OK) return fail(error());
    return run("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA busy_timeout=1000;");
  }
  [[nodiscard]] Result<void> run(const char* text) {
    if (sqlite3_exec(db_, text, nullptr, nullptr, nullptr) != SQLITE_OK) return fail(error());
    return {};
  }

  // Statements with values in the place of ?; a row at a time.
  class Cursor {
   public:
    Cursor(Database& database, sqlite3_stmt* statement)
        : database_(database), statement_(statement) {}
    ~Cursor() {
      if (statement_ == nullptr) return;
      sqlite3_reset(statement_);
      sqlite3_clear_bindings(statement_);
    }
    Cursor(const Cursor&) = delete;
    Cursor& operator=(const Cursor&) = delete;

    // Of all rows that are left, what `make` reads of each.
    template <class Make>
    [[nodiscard]] Result<std::vector<std::invoke_result_t<Make>>> all(Make make) {
      std::vector<std::invoke_result_t<Make>> out;
      for (;;) {
        const auto row = step();
        if (!row) return fail(row.error());
        if (!*row) return out;
        out.push_back(make());
      }
    }

    Cursor& bind(std::string_view text) {
      sqlite3_bind_text64(statement_, ++bound_, text.data(), text.size(), SQLITE_TRANSIENT,
                          SQLITE_UTF8);
      return *this;
    }
    Cursor& bind(int64_t number) {
      sqlite3_bind_int64(statement_, ++bound_, number);
      return *this;
    }
    Cursor& bind(double number) {
      sqlite3_bind_double(statement_, ++bound_, number);
      return *this;
    }
    Cursor& bind(std::optional<int64_t> number) {
      if (number) return bind(*number);
      sqlite3_bind_null(statement_, ++bound_);
      return *this;
    }
    // True: there is a row.
    [[nodiscard]] Result<bool> step() {
      if (statement_ == nullptr) return fail(database_.error());
      const int code = sqlite3_step(statement_);
      if (code == SQLITE_ROW) return true;
      if (code == SQLITE_DONE) return false;
      return fail(database_.error());
    }
    [[nodiscard]] Result<void> done() {
      const auto more = step();
      if (!more) return fail(more.error());
      return {};
    }
    [[nodiscard]] std::string text(int column) const {
      const auto* const bytes = sqlite3_column_text(statement_, column);
      const auto size = static_cast<size_t>(sqlite3_column_bytes(statement_, column));
      return bytes == nullptr ? std::string()
                              : std::string(reinterpret_cast<const char*>(bytes), size);
    }
    [[nodiscard]] int64_t number(int column) const {
      return sqlite3_column_int64(statement_, column);
    }
    [[nodiscard]] double real(int column) const {
      return sqlite3_column_double(statement_, column);
    }
    [[nodiscard]] bool is_null(int column) const {
      return sqlite3_column_type(statement_, column) == SQLITE_NULL;
    }

   private:
    Database& database_;
    sqlite3_stmt* statement_;
    int bound_ = 0;
  };

  [[nodiscard]] Cursor cursor(const char* text) {
    for (auto& [known, statement] : prepared_) {
      if (known == text) return {*this, statement};
    }
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(db_, text, -1, &statement, nullptr) != SQLITE_OK) {
      return {*this, nullptr};
    }
    prepared_.emplace_back(text, statement);
    return {*this, statement};
  }

  // False: it is damaged, and is left as it is when it is closed. An error: it cannot be read now,
  // which says nothing about what is in it.
  [[nodiscard]] Result<bool> open();
  [[nodiscard]] Result<bool> is_whole();
  [[nodiscard]] Result<void> make_tables();
  [[nodiscard]] Result<void> put(const StoredAlert& alert);
  [[nodiscard]] Result<void> put(const HistoryEntry& entry);
  [[nodiscard]] Result<void> put(OutboxMessage& message);
  [[nodiscard]] Result<void> put(const StoredHold& hold);
  [[nodiscard]] Result<void> drop(const AlertKey& key, bool only_ended);
  [[nodiscard]] Result<void> drop(const HoldKey& key);
  [[nodiscard]] Result<void> put(const OutboxOutcome& outcome);
  [[nodiscard]] Result<void> put_all(StateBatch& batch);

 private:
  std::string path_;
  sqlite3* db_ = nullptr;
  std::vector<std::pair<std::string, sqlite3_stmt*>> prepared_;
};

Result<bool> StateStore::Database::open() {
  const auto connected = connect();
  const auto whole = connected ? is_whole() : fail(connected.error());
  const int code = sqlite3_errcode(db_) & kPrimaryCode;
  const bool damaged = whole ? !*whole : code == SQLITE_CORRUPT || code == SQLITE_NOTADB;
  if (!damaged) return whole;
  sqlite3_db_config(db_, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  return false;
}

Result<bool> StateStore::Database::is_whole() {
  Cursor check = cursor("PRAGMA quick_check(1)");
  const auto row = check.step();
  if (!row) return fail(row.error());
  return *row && check.text(0) == "ok";
}

Result<void> StateStore::Database::make_tables() {
  if (auto made = run(kSchema); !made) return made;
  int64_t known = 0;
  {
    Cursor schema = cursor("SELECT value FROM meta WHERE key = 'schema'");
    const auto row = schema.step();
    if (!row) return fail(row.error());
    if (*row) known = schema.number(0);
  }
  if (known > kSchemaNumber) {
    return fail(state_error(path_, fmt::format("its schema is {}, and this program knows {}", known,
                                               kSchemaNumber))
                    .help("a newer pmjit wrote it: start that one, or use another [daemon] state"));
  }
  return cursor("INSERT OR REPLACE INTO meta VALUES ('schema', ?)").bind(kSchemaNumber).done();
}

Result<void> StateStore::Database::put(const StoredAlert& alert) {
  using std::chrono::duration_cast;
  using Ms = std::chrono::milliseconds;
  const LifeState& life = alert.life;
  return cursor(
             "INSERT OR REPLACE INTO alert VALUES "
             "(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)")
      .bind(alert.key.rule)
      .bind(alert.key.host)
      .bind(alert.key.instance)
      .bind(int64_t{alert.key.level})
      .bind(static_cast<int64_t>(life.phase))
      .bind(milliseconds(life.since))
      .bind(int64_t{duration_cast<Ms>(life.held).count()})
      .bind(int64_t{duration_cast<Ms>(life.clear).count()})
      .bind(static_cast<int64_t>(life.said))
      .bind(milliseconds(life.at))
      .bind(life.dark ? std::optional(milliseconds(*life.dark)) : std::nullopt)
      .bind(int64_t{life.noted})
      .bind(alert.reason)
      .bind(alert.value)
      .bind(labels_text(alert.labels))
      .bind(labels_text(alert.notes))
      .bind(alert.shape)
      .bind(list_text(alert.sinks))
      .bind(alert.interval_ms)
      .bind(alert.ended ? std::optional(milliseconds(*alert.ended)) : std::nullopt)
      .done();
}

// One that has begun anew is not one that has ended.
Result<void> StateStore::Database::drop(const AlertKey& key, bool only_ended) {
  return cursor(only_ended ? "DELETE FROM alert WHERE rule = ? AND host = ? AND inst = ? AND "
                             "level = ? AND ended_ms IS NOT NULL"
                           : "DELETE FROM alert WHERE rule = ? AND host = ? AND inst = ? AND "
                             "level = ?")
      .bind(key.rule)
      .bind(key.host)
      .bind(key.instance)
      .bind(int64_t{key.level})
      .done();
}

Result<void> StateStore::Database::put(const StoredHold& hold) {
  return cursor("INSERT OR REPLACE INTO hold VALUES (?,?,?,?,?)")
      .bind(hold.key.rule)
      .bind(hold.key.host)
      .bind(int64_t{hold.key.action})
      .bind(hold.when)
      .bind(int64_t{hold.succeeded})
      .done();
}

Result<void> StateStore::Database::drop(const HoldKey& key) {
  return cursor("DELETE FROM hold WHERE rule = ? AND host = ? AND action = ?")
      .bind(key.rule)
      .bind(key.host)
      .bind(int64_t{key.action})
      .done();
}

Result<void> StateStore::Database::put(const HistoryEntry& entry) {
  return cursor(
             "INSERT INTO history (at_ms, rule, host, inst, event, severity, value, reason) VALUES "
             "(?,?,?,?,?,?,?,?)")
      .bind(milliseconds(entry.at))
      .bind(entry.key.rule)
      .bind(entry.key.host)
      .bind(entry.key.instance)
      .bind(entry.event)
      .bind(entry.severity)
      .bind(entry.value)
      .bind(entry.reason)
      .done();
}

Result<void> StateStore::Database::put(OutboxMessage& message) {
  Cursor insert = cursor(
      "INSERT OR IGNORE INTO outbox "
      "(sink, dedup, rule, host, event, body, created_ms, attempts, error, state) VALUES "
      "(?,?,?,?,?,?,?,0,'',0) RETURNING id");
  const auto row = insert.bind(message.sink)
                       .bind(message.dedup)
                       .bind(message.rule)
                       .bind(message.host)
                       .bind(message.event)
                       .bind(message.body)
                       .bind(milliseconds(message.created))
                       .step();
  if (!row) return fail(row.error());
  message.id = *row ? insert.number(0) : 0;
  return {};
}

Result<void> StateStore::Database::put(const OutboxOutcome& outcome) {
  return cursor("UPDATE outbox SET state = ?, attempts = ?, error = ? WHERE sink = ? AND dedup = ?")
      .bind(static_cast<int64_t>(outcome.state))
      .bind(int64_t{outcome.attempts})
      .bind(outcome.error)
      .bind(outcome.sink)
      .bind(outcome.dedup)
      .done();
}

Result<void> StateStore::Database::put_all(StateBatch& batch) {
  const auto each = [this](auto& rows) -> Result<void> {
    for (auto& row : rows) {
      if (auto done = put(row); !done) return done;
    }
    return {};
  };
  // Of an alert that is in both, `alerts` says more.
  if (auto done = each(batch.kept); !done) return done;
  if (auto done = each(batch.alerts); !done) return done;
  for (const AlertKey& key : batch.gone) {
    if (auto done = drop(key, false); !done) return done;
  }
  for (const AlertKey& key : batch.acknowledged) {
    if (auto done = drop(key, true); !done) return done;
  }
  if (auto done = each(batch.holds); !done) return done;
  for (const HoldKey& key : batch.holds_gone) {
    if (auto done = drop(key); !done) return done;
  }
  if (auto done = each(batch.history); !done) return done;
  if (auto done = each(batch.messages); !done) return done;
  return each(batch.outcomes);
}

// ---- the store

StateStore::StateStore(const Clock& clock) : clock_(clock) {}
StateStore::~StateStore() = default;

Result<std::unique_ptr<StateStore>> StateStore::open(const StateStoreOptions& options,
                                                     const Clock& clock) {
  if (::mkdir(options.folder.c_str(), 0700) != 0 && errno != EEXIST) {
    return fail(state_error(options.folder,
                            fmt::format("cannot make this folder: {}", std::strerror(errno)))
                    .help("make it, for the user of the daemon, or set [daemon] state"));
  }
  std::unique_ptr<StateStore> out(new StateStore(clock));
  auto lock = Lock::take(options.folder);
  if (!lock) return fail(lock.error());
  out->lock_ = *std::move(lock);
  const std::string path = options.folder + "/pmjit.db";
  out->database_ = std::make_unique<Database>(path);
  const auto whole = out->database_->open();
  if (!whole) return fail(whole.error());
  if (!*whole) {
    out->database_.reset();
    auto aside = move_away(path, clock.wall());
    if (!aside) return fail(aside.error());
    out->lost_ = *std::move(aside);
    out->database_ = std::make_unique<Database>(path);
    if (auto connected = out->database_->connect(); !connected) return fail(connected.error());
  }
  if (auto made = out->database_->make_tables(); !made) return fail(made.error());
  return out;
}

Result<void> StateStore::commit(StateBatch& batch) {
  if (auto begun = database_->run("BEGIN IMMEDIATE"); !begun) return begun;
  auto done = database_->put_all(batch);
  if (done) done = database_->run("COMMIT");
  if (done) {
    std::erase_if(batch.messages, [](const OutboxMessage& message) { return message.id == 0; });
    return {};
  }
  (void)database_->run("ROLLBACK");
  for (OutboxMessage& message : batch.messages) message.id = 0;
  return done;
}

Result<std::vector<StoredAlert>> StateStore::alerts() {
  auto rows = database_->cursor(
      "SELECT rule, host, inst, level, phase, since_ms, held_ms, clear_ms, said, at_ms, dark_ms, "
      "noted, reason, value, labels, notes, shape, sinks, interval_ms, ended_ms FROM alert");
  return rows.all([&] {
    StoredAlert alert;
    alert.key = {.rule = rows.text(0),
                 .host = rows.text(1),
                 .instance = rows.text(2),
                 .level = static_cast<uint32_t>(rows.number(3))};
    alert.life = {.phase = static_cast<Phase>(rows.number(4)),
                  .said = static_cast<Says>(rows.number(8)),
                  .noted = rows.number(11) != 0,
                  .since = wall_time(rows.number(5)),
                  .at = wall_time(rows.number(9)),
                  .held = std::chrono::milliseconds(rows.number(6)),
                  .clear = std::chrono::milliseconds(rows.number(7))};
    if (!rows.is_null(10)) alert.life.dark = wall_time(rows.number(10));
    alert.reason = rows.text(12);
    alert.value = rows.text(13);
    alert.labels = labels_of(rows.text(14));
    alert.notes = labels_of(rows.text(15));
    alert.shape = rows.text(16);
    alert.sinks = list_of(rows.text(17));
    alert.interval_ms = rows.number(18);
    if (!rows.is_null(19)) alert.ended = wall_time(rows.number(19));
    return alert;
  });
}

Result<std::vector<StoredHold>> StateStore::holds() {
  auto rows = database_->cursor("SELECT rule, host, action, last, result FROM hold");
  return rows.all([&] {
    return StoredHold{.key = {.rule = rows.text(0),
                              .host = rows.text(1),
                              .action = static_cast<uint32_t>(rows.number(2))},
                      .when = rows.real(3),
                      .succeeded = rows.number(4) != 0};
  });
}

Result<std::vector<StateStore::Waiting>> StateStore::waiting() {
  auto rows = database_->cursor(
      "SELECT id, sink, dedup, rule, host, event, body, created_ms, attempts FROM outbox "
      "WHERE state = 0 ORDER BY id");
  return rows.all([&] {
    return Waiting{.message = {.id = rows.number(0),
                               .sink = rows.text(1),
                               .dedup = rows.text(2),
                               .rule = rows.text(3),
                               .host = rows.text(4),
                               .event = rows.text(5),
                               .body = rows.text(6),
                               .created = wall_time(rows.number(7))},
                   .attempts = static_cast<uint32_t>(rows.number(8))};
  });
}

Result<std::vector<HistoryEntry>> StateStore::history(size_t most) {
  auto rows = database_->cursor(
      "SELECT at_ms, rule, host, inst, event, severity, value, reason FROM history "
      "ORDER BY id DESC LIMIT ?");
  rows.bind(static_cast<int64_t>(most));
  return rows.all([&] {
    return HistoryEntry{
        .at = wall_time(rows.number(0)),
        .key = {.rule = rows.text(1), .host = rows.text(2), .instance = rows.text(3)},
        .event = rows.text(4),
        .severity = rows.text(5),
        .value = rows.text(6),
        .reason = rows.text(7)};
  });
}

Result<void> StateStore::compact() {
  const int64_t now = milliseconds(clock_.wall());
  auto sent = database_->cursor("DELETE FROM outbox WHERE state = 1 AND created_ms < ?")
                  .bind(now - kDayMs)
                  .done();
  if (!sent) return sent;
  auto given_up = database_->cursor("DELETE FROM outbox WHERE state = 2 AND created_ms < ?")
                      .bind(now - 7 * kDayMs)
                      .done();
  if (!given_up) return given_up;
  auto old =
      database_->cursor("DELETE FROM history WHERE at_ms < ?").bind(now - 30 * kDayMs).done();
  if (!old) return old;
  return database_->cursor("DELETE FROM history WHERE id <= (SELECT max(id) FROM history) - ?")
      .bind(kHistoryRowsMost)
      .done();
}

}  // namespace pmjit
