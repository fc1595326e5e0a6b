// pmdaFetch: the values of metrics, asked of the agent's call-back one by one. Source: spec
// collector-and-agents.md §2.5.
#include <cstddef>

#include "agent/pmda/agent_state.h"

using namespace pmjit;

namespace {

constexpr int kNoValue = 0;

// A value of malloc's, or of the agent's own (PM_VAL_SPTR) where it stays as it is. The format, or
// why it has none.
int put_value(int type, const pmAtomValue& atom, pmValue& out) {
  const void* from = &atom;
  size_t bytes = 0;
  switch (type) {
    case PM_TYPE_32:
    case PM_TYPE_U32: out.value.lval = atom.l; return PM_VAL_INSITU;
    case PM_TYPE_FLOAT: bytes = sizeof atom.f; break;
    case PM_TYPE_64:
    case PM_TYPE_U64:
    case PM_TYPE_DOUBLE: bytes = sizeof atom.d; break;
    case PM_TYPE_STRING:
      if (atom.cp == nullptr) return PM_ERR_TYPE;
      from = atom.cp;
      bytes = std::strlen(atom.cp) + 1;
      break;
    case PM_TYPE_AGGREGATE:
      if (atom.vbp == nullptr || atom.vbp->vlen < PM_VAL_HDR_SIZE) return PM_ERR_TYPE;
      from = atom.vbp->vbuf;
      bytes = atom.vbp->vlen - PM_VAL_HDR_SIZE;
      break;
    case PM_TYPE_AGGREGATE_STATIC:
    case PM_TYPE_EVENT:
    case PM_TYPE_HIGHRES_EVENT:
      if (atom.vbp == nullptr || atom.vbp->vlen < PM_VAL_HDR_SIZE) return PM_ERR_TYPE;
      out.value.pval = atom.vbp;
      return PM_VAL_SPTR;
    default: return PM_ERR_TYPE;
  }
  if (bytes > PM_VAL_VLEN_MAX - PM_VAL_HDR_SIZE) return PM_ERR_TOOBIG;
  auto* block = static_cast<pmValueBlock*>(
      give_bytes(std::max(PM_VAL_HDR_SIZE + bytes, sizeof(pmValueBlock))));
  block->vtype = static_cast<unsigned>(type) & 0xff;
  block->vlen = static_cast<unsigned>(PM_VAL_HDR_SIZE + bytes) & PM_VAL_VLEN_MAX;
  std::memcpy(block->vbuf, from, bytes);
  out.value.pval = block;
  return PM_VAL_DPTR;
}

pmValueSet* new_set(pmID pmid, int count) {
  const auto values = static_cast<size_t>(std::max(count, 1));
  auto* out =
      static_cast<pmValueSet*>(give_bytes(offsetof(pmValueSet, vlist) + values * sizeof(pmValue)));
  out->pmid = pmid;
  out->numval = count;
  out->valfmt = PM_VAL_INSITU;
  return out;
}

// What the agent has given and does not need any more.
void free_given(const pmDesc& desc, pmAtomValue& atom) {
  if (desc.type == PM_TYPE_STRING) {
    std::free(atom.cp);
  } else if (desc.type == PM_TYPE_AGGREGATE) {
    std::free(atom.vbp);
  } else {
    pmNotifyErr(LOG_WARNING, "pmdaFetch: Attempt to free value for metric %s of wrong type %d",
                IdText(desc.pmid).text, desc.type);
  }
}

void report_refusal(const pmDesc& desc, int inst, int status) {
  const IdText pmid(desc.pmid);
  switch (status) {
    case PM_ERR_PMID:
      pmNotifyErr(LOG_ERR, "pmdaFetch: PMID %s not handled by fetch callback", pmid.text);
      break;
    case PM_ERR_INST:
      pmNotifyErr(LOG_ERR, "pmdaFetch: Instance %d of PMID %s not handled by fetch callback", inst,
                  pmid.text);
      break;
    case PM_ERR_VALUE:
    case PM_ERR_APPVERSION:
    case PM_ERR_PERMISSION:
    case PM_ERR_AGAIN:
    case PM_ERR_NYI: break;
    default:
      pmNotifyErr(LOG_ERR, "pmdaFetch: Fetch callback error from metric PMID %s[%d]: %s", pmid.text,
                  inst, ErrorText(status).text);
  }
}

class MetricFetch {
 public:
  MetricFetch(pmdaMetric& metric, pmdaExt& ext)
      : metric_(metric), ext_(ext), version_(interface_of(&ext)) {}

  pmValueSet* values() {
    const pmDesc& desc = metric_.m_desc;
    room_ = desc.indom == PM_INDOM_NULL ? 1 : __pmdaCntInst(desc.indom, &ext_);
    pmValueSet* out = new_set(desc.pmid, std::max(room_, 0));
    out->numval = 0;
    int status = room_ < 0 ? room_ : kNoValue;
    int inst = 0;
    __pmdaStartInst(desc.indom, &ext_);
    while (__pmdaNextInst(&inst, &ext_) > 0) {
      // A call-back may have made the domain larger.
      if (out->numval == room_) out = larger(out);
      status = add(inst, *out);
      if (status < 0) report_refusal(desc, inst, status);
    }
    if (out->numval == 0) out->numval = std::min(status, 0);
    return out;
  }

 private:
  pmValueSet* larger(pmValueSet* set) {
    room_ = std::max(2 * room_, 8);
    pmValueSet* const out = new_set(set->pmid, room_);
    const auto used = static_cast<size_t>(set->numval);
    std::memcpy(out->vlist, set->vlist, used * sizeof(pmValue));
    out->numval = set->numval;
    out->valfmt = set->valfmt;
    std::free(set);
    return out;
  }

  // 0 where there is no value, below 0 why.
  int add(int inst, pmValueSet& out) {
    pmAtomValue atom{};
    const int status = ext_.e_fetchCallBack(&metric_, static_cast<unsigned>(inst), &atom);
    if (status < 0) return status;
    if (status == PMDA_FETCH_NOVALUES && version_ > PMDA_INTERFACE_2) return kNoValue;
    pmValue& value = out.vlist[out.numval];
    value.inst = inst;
    const int format = put_value(metric_.m_desc.type, atom, value);
    if (status == PMDA_FETCH_DYNAMIC && version_ >= PMDA_INTERFACE_5) {
      free_given(metric_.m_desc, atom);
    }
    if (format < 0) {
      pmNotifyErr(LOG_ERR, "pmdaFetch: Descriptor type (%s) for metric %s is bad",
                  pmTypeStr(metric_.m_desc.type), IdText(metric_.m_desc.pmid).text);
      return format;
    }
    out.valfmt = format;
    ++out.numval;
    return status;
  }

  pmdaMetric& metric_;
  pmdaExt& ext_;
  int version_;
  int room_ = 0;
};

pmValueSet* fetch_one(pmID pmid, pmdaExt& ext) {
  pmdaMetric* const metric = find_or_describe(pmid, &ext);
  if (metric == nullptr) {
    if (interface_of(&ext) < PMDA_INTERFACE_4) {
      pmNotifyErr(LOG_ERR, "pmdaFetch: Requested metric %s is not defined", IdText(pmid).text);
    }
    return new_set(pmid, PM_ERR_PMID);
  }
  if (metric->m_desc.type == PM_TYPE_NOSUPPORT) return new_set(pmid, PM_ERR_APPVERSION);
  pmValueSet* const out = MetricFetch(*metric, ext).values();
  out->pmid = pmid;
  return out;
}

// What clients are to be told of, once.
long take_changes(pmdaExt& ext) {
  long out = 0;
  if (interface_of(&ext) < PMDA_INTERFACE_7) return out;
  if ((ext.e_flags & PMDA_EXT_LABEL_CHANGE) != 0) out |= PMCD_LABEL_CHANGE;
  if ((ext.e_flags & PMDA_EXT_NAMES_CHANGE) != 0) out |= PMCD_NAMES_CHANGE;
  ext.e_flags &= ~static_cast<unsigned>(PMDA_EXT_LABEL_CHANGE | PMDA_EXT_NAMES_CHANGE);
  return out;
}

}  // namespace

int pmdaFetch(int count, pmID* pmids, pmResult** out, pmdaExt* ext) {
  AgentState* state = state_of(ext);
  if (count < 1 || pmids == nullptr || out == nullptr || state == nullptr) return -EINVAL;
  if (ext->e_fetchCallBack == nullptr) return PM_ERR_GENERIC;
  return at_c_border([&] {
    const size_t bytes =
        offsetof(pmResult, vset) + static_cast<size_t>(count) * sizeof(pmValueSet*);
    state->result.resize((std::max(bytes, sizeof(pmResult)) + 7) / 8);
    auto* result = reinterpret_cast<pmResult*>(state->result.data());
    result->timestamp = {};
    result->numpmid = 0;
    for (int i = 0; i < count; ++i) {
      result->vset[i] = fetch_one(pmids[i], *ext);
      ++result->numpmid;
    }
    result->timestamp.tv_sec = take_changes(*ext);
    *out = result;
    return 0;
  });
}
