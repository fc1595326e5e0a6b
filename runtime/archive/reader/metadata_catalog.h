// MetadataCatalog: the metadata of an archive, or of several that are read as one, as the compiler
// asks for them. Both what it is made of and the name (for messages) outlive it.
#pragma once

#include "runtime/archive/reader/metadata.h"
#include "runtime/model/catalog.h"

namespace pmjit {

class MetadataCatalog final : public Catalog {
 public:
  MetadataCatalog(const Metadata& metadata, const std::string& name)
      : metadata_(metadata), name_(name) {}

  [[nodiscard]] Result<Desc> describe(std::string_view metric) const override;
  [[nodiscard]] std::vector<std::string> leaves(std::string_view prefix) const override;
  [[nodiscard]] std::optional<std::string> instance_name(InDomId indom, int32_t instance,
                                                         Stamp when) const override;
  [[nodiscard]] uint64_t domain_epoch(InDomId indom, Stamp when) const override;
  [[nodiscard]] std::optional<std::vector<int32_t>> changed_between(InDomId indom, Stamp from,
                                                                    Stamp to) const override;
  [[nodiscard]] std::vector<std::string> names_ever(InDomId indom) const override;
  [[nodiscard]] std::vector<Instance> instances(InDomId indom) const override;

 private:
  const Metadata& metadata_;
  const std::string& name_;
};

}  // namespace pmjit
