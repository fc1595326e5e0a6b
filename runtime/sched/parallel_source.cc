#include "runtime/sched/parallel_source.h"

#include <condition_variable>
#include <iterator>
#include <list>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "runtime/sched/crew.h"
#include "runtime/sched/piece_slot.h"

namespace pmjit {

namespace {

// One that is decoded, one whose blocks are used, and one that waits for whoever is ready first.
constexpr unsigned kSlotsPerThread = 3;

constexpr unsigned kAsker = 0;  // the worker that is whoever asks for blocks

class ParallelCursor final : public Cursor {
 public:
  ParallelCursor(std::unique_ptr<Pieces> pieces, Executor& executor, Rosters& rosters)
      : pieces_(std::move(pieces)),
        rosters_(rosters),
        bytes_(executor.threads()),
        free_(executor.threads()),
        spare_(executor.threads()),
        crew_(executor, [this] { help(); }) {
    for (unsigned worker = 0; worker < executor.threads(); ++worker) {
      for (unsigned i = 0; i < kSlotsPerThread; ++i)
        free_[worker].emplace_back(*pieces_, bytes_[worker], worker);
      if (worker != kAsker) idle_.push_back(worker);
    }
    called_.reserve(idle_.size());
  }

  ~ParallelCursor() override {
    const std::lock_guard lock(slots_);
    read_all_ = true;
  }

  Result<bool> next(Block& block) override {
    give_back(block);
    block = Block();
    uint64_t walked = 0;
    while (!over_) {
      Flight* const first = first_decoded();
      if (first == nullptr) {
        over_ = true;
        failure_ = read_failure_;
        break;
      }
      if (first->slot.take(block, rosters_, walked)) {
        block.bytes += walked;
        block.owner = first->worker;
        return true;
      }
      failure_ = first->slot.failure();
      over_ = failure_.has_value();
      const Piece::State state = first->slot.state();
      const uint32_t part = first->slot.piece().part();
      if (state == Piece::State::astray) go_back(*first);
      land();
      if (state == Piece::State::ended) pass_over(part);
    }
    block.bytes = walked;
    if (failure_) return fail(*failure_);
    return false;
  }

  double done() const override {
    const std::lock_guard lock(slots_);
    return over_ ? 1 : read_;
  }

 private:
  struct Flight {
    Flight(const Pieces& pieces, Buffer& bytes, unsigned from)
        : slot(pieces, bytes), worker(from) {}
    PieceSlot slot;
    unsigned worker;  // a thread that comes again is mostly the same: memory stays in its caches
    bool decoded = false;
  };
  using Flights = std::list<Flight>;  // they go from one to another, and none is made or moved

  // Reads the next piece and decodes it. False: there is none, or no room for one.
  bool work(unsigned worker) {
    std::unique_lock reading(reading_);
    Flight* const flight = read(worker);
    reading.unlock();
    if (flight == nullptr) return false;
    flight->slot.decode();
    const std::lock_guard lock(slots_);
    flight->decoded = true;
    decoded_.notify_one();
    return true;
  }

  // With reading_ held, so that pieces take off in the order of the source.
  Flight* read(unsigned worker) {
    Flights one;
    {
      const std::lock_guard lock(slots_);
      if (read_all_ || free_[worker].empty()) return nullptr;
      one.splice(one.begin(), free_[worker], free_[worker].begin());
      one.front().slot.stock(spare_[worker]);
    }
    Flight& flight = one.front();
    flight.decoded = false;
    auto got = flight.slot.read(*pieces_);
    const std::lock_guard lock(slots_);
    read_ = pieces_->done();
    if (!got) read_failure_ = std::move(got).error();
    read_all_ = read_all_ || read_failure_ || !*got;
    Flights& to = read_all_ ? free_[worker] : flying_;
    to.splice(to.end(), one);
    return read_all_ ? nullptr : &flight;
  }

  // What the other threads do, each as long as it has room.
  void help() {
    unsigned worker = kAsker;
    {
      const std::lock_guard lock(slots_);
      worker = called_.back();
      called_.pop_back();
    }
    while (work(worker)) {
    }
    const std::lock_guard lock(slots_);
    idle_.push_back(worker);
  }

  void call_help() {
    size_t calls = 0;
    {
      const std::lock_guard lock(slots_);
      if (read_all_) return;
      calls = std::erase_if(idle_, [&](unsigned worker) {
        if (free_[worker].empty()) return false;
        called_.push_back(worker);
        return true;
      });
    }
    for (; calls != 0; --calls) crew_.call();
  }

  // Null: the source ends here. Until the first is there this thread works like the others.
  Flight* first_decoded() {
    call_help();
    for (;;) {
      {
        const std::lock_guard lock(slots_);
        if (!flying_.empty() && flying_.front().decoded) return &flying_.front();
      }
      if (work(kAsker)) continue;
      std::unique_lock lock(slots_);
      if (flying_.empty() && read_all_) return nullptr;
      decoded_.wait(lock, [&] { return flying_.empty() || flying_.front().decoded; });
    }
  }

  // A block that comes again brings its memory to the thread that filled it.
  void give_back(Block& block) {
    if (block.columns.empty()) return;  // a new one
    const std::lock_guard lock(slots_);
    auto& spare = spare_[block.owner < spare_.size() ? block.owner : kAsker];
    spare.push_back(std::move(block));
  }

  void land() {
    const std::lock_guard lock(slots_);
    land_first();
  }

  void land_first() {
    Flights& to = free_[flying_.front().worker];
    to.splice(to.begin(), flying_, flying_.begin());
  }

  // What was read behind the first is not what follows it.
  void go_back(const Flight& first) {
    const std::lock_guard reading(reading_);
    std::unique_lock lock(slots_);
    while (flying_.size() > 1) {
      const auto next = std::next(flying_.begin());
      decoded_.wait(lock, [&] { return next->decoded; });
      free_[next->worker].splice(free_[next->worker].begin(), flying_, next);
    }
    const auto found = pieces_->go_on_behind(first.slot.piece());
    read_all_ = !found;
    read_failure_.reset();
    if (!found) read_failure_ = found.error();
  }

  // What was read of a part behind its end, damage too, is nobody's.
  void pass_over(uint32_t part) {
    const std::lock_guard reading(reading_);
    std::unique_lock lock(slots_);
    while (!flying_.empty() && flying_.front().slot.piece().part() == part) {
      decoded_.wait(lock, [&] { return flying_.front().decoded; });
      land_first();
    }
    if (read_failure_ && pieces_->part() == part) {
      read_failure_.reset();
      read_all_ = false;
    }
    pieces_->pass_over(part);
  }

  std::mutex reading_;  // pieces_; whoever holds both has this one first
  std::unique_ptr<Pieces> pieces_;
  Rosters& rosters_;              // of the thread that asks, as these are:
  bool over_ = false;             // nothing comes any more
  std::optional<Error> failure_;  // and why
  mutable std::mutex slots_;      // all that follows
  std::condition_variable decoded_;
  std::vector<Buffer> bytes_;              // of each worker
  std::vector<Flights> free_;              // of each worker
  std::vector<std::vector<Block>> spare_;  // likewise: memory that has come back
  Flights flying_;                         // in the order of the source
  double read_ = 0;
  bool read_all_ = false;
  std::optional<Error> read_failure_;
  std::vector<unsigned> idle_, called_;  // workers; called: by now a thread is on its way
  Crew crew_;                            // the last: it ends before what it works on
};

}  // namespace

Result<std::unique_ptr<Cursor>> ParallelSource::open(const FetchPlan& plan,
                                                     Rosters& rosters) const {
  if (executor_.threads() == 1) return under().open(plan, rosters);
  FetchPlan shared = plan;
  shared.for_threads = true;
  if (shared.piece_bytes == 0) shared.piece_bytes = piece_bytes_;
  auto pieces = under().open_pieces(shared);
  if (!pieces) return fail(pieces.error());
  if (*pieces == nullptr) return under().open(plan, rosters);
  return parallel_cursor(*std::move(pieces), executor_, rosters);
}

std::unique_ptr<Cursor> parallel_cursor(std::unique_ptr<Pieces> pieces, Executor& executor,
                                        Rosters& rosters) {
  return std::make_unique<ParallelCursor>(std::move(pieces), executor, rosters);
}

}  // namespace pmjit
