/** Numbers of processors in the headers of binaries. */
const elfMachines: Readonly<Record<number, string>> = { 0x3e: 'x64', 0xb7: 'arm64' };
const machMachines: Readonly<Record<number, string>> = { 0x01000007: 'x64', 0x0100000c: 'arm64' };
const peMachines: Readonly<Record<number, string>> = { 0x8664: 'x64', 0xaa64: 'arm64' };

/**
 * The platform that a binary was built for (`linux-x64`), by its header: ELF (elf.h: e_machine), Mach-O of 64 bits
 * (mach/machine.h) or PE (Machine of the COFF header). Undefined for anything else.
 */
export function targetOfBinary(binary: Buffer): string | undefined {
  const magic = binary.length < 64 ? 0 : binary.readUInt32BE(0);
  if (magic === 0x7f454c46) return named('linux', elfMachines[binary.readUInt16LE(18)]);
  if (magic === 0xcffaedfe) return named('darwin', machMachines[binary.readUInt32LE(4)]);
  if (magic >>> 16 === 0x4d5a) {
    const header = binary.readUInt32LE(0x3c);
    if (header + 6 > binary.length) return undefined;
    return named('win32', peMachines[binary.readUInt16LE(header + 4)]);
  }
  return undefined;
}

function named(system: string, machine: string | undefined): string | undefined {
  return machine === undefined ? undefined : `${system}-${machine}`;
}
