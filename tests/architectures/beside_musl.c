// For scripts/architectures: the names of glibc that musl does not have, for a static program that was compiled for
// glibc and is linked with musl.
#define _GNU_SOURCE
#include <elf.h>
#include <link.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/// False: threads may run.
char __libc_single_threaded = 0;

/// glibc's start picks the variant of a function for this processor (target_clones of gcc), before any constructor.
/// musl's does not.
extern const Elf64_Rela __rela_iplt_start[], __rela_iplt_end[];
__attribute__((constructor(101))) static void pick_variants(void) {
  for (const Elf64_Rela* r = __rela_iplt_start; r != __rela_iplt_end; ++r)
    *(uintptr_t*)r->r_offset = ((uintptr_t(*)(void))r->r_addend)();
}

/// The beginning of glibc's struct dl_find_object: where the unwinder finds its table.
struct object {
  unsigned long long flags;
  void *begin, *end, *link_map, *table;
};
static int find_table(struct dl_phdr_info* info, size_t size, void* object) {
  (void)size;
  for (int i = 0; i < info->dlpi_phnum; ++i)
    if (info->dlpi_phdr[i].p_type == PT_GNU_EH_FRAME)
      ((struct object*)object)->table = (void*)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
  return 1;  // the program comes first, and there are no shared libraries
}
int _dl_find_object(void* address, struct object* object) {
  (void)address;
  *object = (struct object){.end = (void*)UINTPTR_MAX};
  dl_iterate_phdr(find_table, object);
  return object->table ? 0 : -1;
}

/// For the compression libraries.
int __fprintf_chk(FILE* file, int flag, const char* format, ...) {
  (void)flag;
  va_list arguments;
  va_start(arguments, format);
  const int written = vfprintf(file, format, arguments);
  va_end(arguments);
  return written;
}

/// libstdc++ refers to it in std::random_device, which the library does not use.
unsigned arc4random(void) { abort(); }
