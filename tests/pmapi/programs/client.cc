// A client in C++: contexts and results as objects, metrics in containers, errors as exceptions.
#include <pcp/pmapi.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

int checked(int sts, const std::string& what) {
  if (sts < 0) throw std::runtime_error(what + ": " + pmErrStr(sts));
  return sts;
}

class Context {
 public:
  Context(int type, const char* name) : m_handle(checked(pmNewContext(type, name), name)) {}
  ~Context() { pmDestroyContext(m_handle); }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  void use() const { checked(pmUseContext(m_handle), "pmUseContext"); }

 private:
  int m_handle;
};

using Result = std::unique_ptr<pmResult, void (*)(pmResult*)>;

Result fetch(std::vector<pmID>& pmids) {
  pmResult* result = nullptr;
  checked(pmFetch(static_cast<int>(pmids.size()), pmids.data(), &result), "pmFetch");
  return Result(result, pmFreeResult);
}

std::map<int, std::string> instances(pmInDom indom) {
  std::map<int, std::string> out;
  int* ids = nullptr;
  char** names = nullptr;
  const int count = pmGetInDom(indom, &ids, &names);
  for (int i = 0; i < count; ++i) out[ids[i]] = names[i];
  if (count > 0) {
    free(ids);
    free(names);
  }
  return out;
}

void collect(const char* name, void* closure) {
  static_cast<std::vector<std::string>*>(closure)->emplace_back(name);
}

std::string text_of(const pmValueSet& set, const pmDesc& desc, int i) {
  if (desc.type == PM_TYPE_STRING) {
    pmAtomValue atom;
    checked(pmExtractValue(set.valfmt, &set.vlist[i], desc.type, &atom, PM_TYPE_STRING), "text");
    std::string out(atom.cp);
    free(atom.cp);
    return out;
  }
  pmAtomValue atom;
  if (pmExtractValue(set.valfmt, &set.vlist[i], desc.type, &atom, PM_TYPE_DOUBLE) < 0) return "?";
  std::ostringstream out;
  out << atom.d;
  return out.str();
}

void show(const std::string& root) {
  std::vector<std::string> names;
  checked(pmTraversePMNS_r(root.c_str(), collect, &names), root);
  std::sort(names.begin(), names.end());
  std::vector<const char*> pointers;
  for (const auto& name : names) pointers.push_back(name.c_str());
  std::vector<pmID> pmids(names.size());
  checked(pmLookupName(static_cast<int>(pmids.size()), pointers.data(), pmids.data()), "names");
  std::vector<pmDesc> descs(pmids.size());
  checked(pmLookupDescs(static_cast<int>(pmids.size()), pmids.data(), descs.data()), "descs");
  const Result result = fetch(pmids);
  for (size_t i = 0; i < names.size(); ++i) {
    const pmValueSet& set = *result->vset[i];
    std::cout << names[i] << " (" << pmUnitsStr(&descs[i].units) << ") " << set.numval << "\n";
    const auto of =
        descs[i].indom == PM_INDOM_NULL ? std::map<int, std::string>() : instances(descs[i].indom);
    for (int k = 0; k < set.numval; ++k) {
      const auto found = of.find(set.vlist[k].inst);
      std::cout << "  " << (found == of.end() ? "-" : found->second) << " "
                << text_of(set, descs[i], k) << "\n";
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc < 3) throw std::runtime_error("too few words");
    const Context context(std::string(argv[1]) == "host" ? PM_CONTEXT_HOST : PM_CONTEXT_ARCHIVE,
                          argv[2]);
    context.use();
    for (int i = 3; i < argc; ++i) show(argv[i]);
  } catch (const std::exception& error) {
    std::cout << "error: " << error.what() << std::endl;
    return 1;
  }
  return 0;
}
