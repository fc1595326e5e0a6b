/* Sets without event records: no values, an error in their place, values that hold none. */
#include "program.h"

static struct {
  pmValueBlock block;
  char more[64];
} block;

static void unpack(int numval, int valfmt, int of_type) {
  static struct {
    pmValueSet set;
    pmValue more;
  } value;
  pmResult** records = NULL;
  pmHighResResult** fine = NULL;
  int sts;
  value.set.pmid = pmID_build(29, 0, 136);
  value.set.numval = numval;
  value.set.valfmt = valfmt;
  value.set.vlist[0].inst = 4;
  value.set.vlist[0].value.pval = &block.block;
  block.block.vtype = of_type;
  block.block.vlen = PM_VAL_HDR_SIZE + 16;
  sts = pmUnpackEventRecords(&value.set, 0, &records);
  printf("%d values, format %d, %s: %d %s", numval, valfmt, pmTypeStr(of_type), sts,
         records ? "records" : "none");
  sts = pmUnpackHighResEventRecords(&value.set, 0, &fine);
  printf(", %d %s\n", sts, fine ? "records" : "none");
}

int main(void) {
  static const int numbers[] = {0, 1, -1, PM_ERR_AGAIN, PM_ERR_APPVERSION};
  size_t i;
  int format, type;
  for (i = 0; i < sizeof numbers / sizeof numbers[0]; ++i) {
    for (format = PM_VAL_INSITU; format <= PM_VAL_SPTR + 1; ++format) {
      for (type = PM_TYPE_32; type <= PM_TYPE_HIGHRES_EVENT; type += 5)
        unpack(numbers[i], format, type);
    }
  }
  return 0;
}
