/* The Guide's fetch group: a number, an instance, a share as text, all disks, the time. */
#include "program.h"

enum { max_disks = 100 };
static pmAtomValue ncpu, loadavg, idle, disk_reads[max_disks];
static unsigned num_disks;
static int disk_stss[max_disks], idle_status, disks_status;
static char* disk_names[max_disks];

int main(int argc, char** argv) {
  struct timeval when, origin;
  pmLogLabel label;
  pmFG group;
  unsigned i;
  int round, sts;
  if (argc < 3) return 1;
  setvbuf(stdout, NULL, _IONBF, 0);
  SHOW(pmCreateFetchGroup(
      &group, strcmp(argv[1], "host") == 0 ? PM_CONTEXT_HOST : PM_CONTEXT_ARCHIVE, argv[2]));
  if (group == NULL) return 1;
  SHOW(pmUseContext(pmGetFetchGroupContext(group)));
  if (pmGetArchiveLabel(&label) >= 0) {
    origin = label.ll_start;
    SHOW(pmSetMode(PM_MODE_INTERP, &origin, 10000));
  }
  SHOW(pmExtendFetchGroup_item(group, "hinv.ncpu", NULL, NULL, &ncpu, PM_TYPE_32, NULL));
  SHOW(pmExtendFetchGroup_item(group, "kernel.all.load", "5 minute", NULL, &loadavg, PM_TYPE_DOUBLE,
                               NULL));
  SHOW(pmExtendFetchGroup_item(group, "kernel.all.cpu.idle", NULL, "s/100s", &idle, PM_TYPE_STRING,
                               &idle_status));
  SHOW(pmExtendFetchGroup_indom(group, "disk.dev.read", NULL, NULL, disk_names, disk_reads,
                                PM_TYPE_32, disk_stss, max_disks, &num_disks, &disks_status));
  SHOW(pmExtendFetchGroup_timestamp(group, &when));
  for (round = 0; round < 4; ++round) {
    sts = pmFetchGroup(group);
    printf("pmFetchGroup %d\n%s", sts, ctime(&when.tv_sec));
    printf("cpus %d, load %g, idle %s (%s)\n", ncpu.l, loadavg.d, idle.cp ? idle.cp : "none",
           pmErrStr(idle_status));
    printf("%u disks: %s\n", num_disks, pmErrStr(disks_status));
    for (i = 0; i < num_disks; ++i)
      if (disk_stss[i] == 0)
        printf("disk %s reads %d\n", disk_names[i], disk_reads[i].l);
      else
        printf("disk %s: %s\n", disk_names[i], pmErrStr(disk_stss[i]));
  }
  SHOW(pmDestroyFetchGroup(group));
  return 0;
}
