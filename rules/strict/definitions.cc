#include "rules/strict/definitions.h"

#include <algorithm>
#include <sstream>

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
  const auto told = std::make_shared<bool>(false);
  Definitions out([told, say = std::move(say)](std::string_view text) {
    *told = true;
    say(text);
  });
  out.metrics_->begin();
  for (const std::string& file : files) {
    const auto loaded = out.metrics_->load(file);
    if (loaded) continue;
    return fail(
        Error(Fault::not_found, "cannot read it").at("file", file).help("is the name right?"));
  }
  out.mistaken_ = *told;
  return out;
}

// NAME = …, of all lines.
std::vector<std::string> Definitions::names() const {
  std::vector<std::string> out;
  for (const SourceText& file : *texts_) {
    std::istringstream in(file.text);
    for (std::string line; std::getline(in, line);) {
      std::string name = line.substr(0, line.find('='));
      name.erase(name.find_last_not_of(" \t") + 1);
      const bool is_name = name.size() < line.size() && name.find_first_of(" \t#(") == name.npos;
      if (is_name && !name.empty()) out.push_back(std::move(name));
    }
  }
  return out;
}

std::vector<std::string> NamesWithDefined::leaves(std::string_view prefix) const {
  std::vector<std::string> out = CatalogOver::leaves(prefix);
  for (const std::string& name : defined_) {
    const bool below = prefix.empty() || name == prefix ||
                       (name.starts_with(prefix) && name[prefix.size()] == '.');
    if (below) out.push_back(name);
  }
  std::ranges::sort(out);
  return out;
}

}  // namespace pmjit
