#include "runtime/model/exporter_names.h"

#include <algorithm>
#include <iterator>

namespace pmjit {

namespace {

struct ExporterName {
  std::string_view exporter, pcp;
};
constexpr ExporterName kExporterNames[] = {
    {"node_load1", "kernel.all.load"},
    {"node_load5", "kernel.all.load"},
    {"node_load15", "kernel.all.load"},
    {"node_cpu_seconds_total", "kernel.all.cpu.user"},
    {"node_memory_MemTotal_bytes", "mem.physmem"},
    {"node_memory_MemFree_bytes", "mem.util.free"},
    {"node_memory_MemAvailable_bytes", "mem.util.available"},
    {"node_memory_Cached_bytes", "mem.util.cached"},
    {"node_memory_Buffers_bytes", "mem.util.bufmem"},
    {"node_memory_SwapTotal_bytes", "mem.util.swapTotal"},
    {"node_memory_SwapFree_bytes", "mem.util.swapFree"},
    {"node_filesystem_size_bytes", "filesys.capacity"},
    {"node_filesystem_free_bytes", "filesys.free"},
    {"node_filesystem_avail_bytes", "filesys.avail"},
    {"node_filesystem_files_free", "filesys.freefiles"},
    {"node_disk_reads_completed_total", "disk.dev.read"},
    {"node_disk_writes_completed_total", "disk.dev.write"},
    {"node_disk_read_bytes_total", "disk.dev.read_bytes"},
    {"node_disk_written_bytes_total", "disk.dev.write_bytes"},
    {"node_disk_io_time_seconds_total", "disk.dev.avactive"},
    {"node_network_receive_bytes_total", "network.interface.in.bytes"},
    {"node_network_transmit_bytes_total", "network.interface.out.bytes"},
    {"node_network_receive_packets_total", "network.interface.in.packets"},
    {"node_network_transmit_packets_total", "network.interface.out.packets"},
    {"node_network_receive_errs_total", "network.interface.in.errors"},
    {"node_network_transmit_errs_total", "network.interface.out.errors"},
    {"node_network_receive_drop_total", "network.interface.in.drops"},
    {"node_network_transmit_drop_total", "network.interface.out.drops"},
    {"node_procs_running", "kernel.all.runnable"},
    {"node_procs_blocked", "kernel.all.blocked"},
    {"node_context_switches_total", "kernel.all.pswitch"},
    {"node_intr_total", "kernel.all.intr"},
    {"node_forks_total", "kernel.all.sysfork"},
    {"node_vmstat_pgmajfault", "mem.vmstat.pgmajfault"},
    {"node_nf_conntrack_entries", "network.ip.conntrack.count"},
    {"node_filefd_allocated", "vfs.files.count"},
};

}  // namespace

std::string_view name_in_pcp(std::string_view exporter_name) {
  const auto* const found =
      std::ranges::find(kExporterNames, exporter_name, &ExporterName::exporter);
  return found == std::end(kExporterNames) ? std::string_view() : found->pcp;
}

}  // namespace pmjit
