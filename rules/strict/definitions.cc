#include "rules/strict/definitions.h"

#include "compiler/driver/strict_files.h"

namespace pmjit {

namespace {

// Every file that is taken comes by, whichever dialect it is in.
class KeptFiles final : public StrictFiles {
 public:
  KeptFiles(std::unique_ptr<StrictFiles> files, std::vector<SourceText>& texts)
      : files_(std::move(files)), texts_(texts) {}

  std::optional<std::vector<StrictDefinition>> read(const SourceText& file,
                                                    const Sink& say) override {
    return files_->read(file, say);
  }
  void keep(const SourceText& file) override {
    texts_.push_back(file);
    files_->keep(file);
  }
  std::unique_ptr<StrictContext> attach(Context& recorded,
                                        const EquivalentDomains& equivalent) override {
    return files_->attach(recorded, equivalent);
  }

 private:
  std::unique_ptr<StrictFiles> files_;
  std::vector<SourceText>& texts_;
};

}  // namespace

Definitions::Definitions(Sink say) : texts_(std::make_unique<std::vector<SourceText>>()) {
  const DeriveOptions options{.for_pmjit = true};
  metrics_ = make_derived_metrics(options,
                                  std::make_unique<KeptFiles>(make_strict_files(options), *texts_));
  metrics_->tell(std::move(say));
}

Result<Definitions> Definitions::load(const std::vector<std::string>& files, Sink say) {
  Definitions out(std::move(say));
  out.metrics_->begin();
  for (const std::string& file : files) {
    const auto loaded = out.metrics_->load(file);
    if (loaded) continue;
    return fail(
        Error(Fault::not_found, "cannot read it").at("file", file).help("is the name right?"));
  }
  return out;
}

}  // namespace pmjit
