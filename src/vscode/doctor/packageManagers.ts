/** How each system's own package manager installs something, best first where a machine has several. */
const packageManagers: readonly { program: string; install: (name: string) => string }[] = [
  { program: 'brew', install: (name) => `brew install ${name}` },
  { program: 'apt-get', install: (name) => `sudo apt-get install ${name}` },
  { program: 'dnf', install: (name) => `sudo dnf install ${name}` },
  { program: 'pacman', install: (name) => `sudo pacman -S ${name}` },
  { program: 'zypper', install: (name) => `sudo zypper install ${name}` },
  { program: 'apk', install: (name) => `sudo apk add ${name}` },
  { program: 'winget', install: (name) => `winget install ${name}` },
];

/** Makes the command that installs a package here; undefined where no package manager is known. */
export type InstallCommand = (name: string) => string | undefined;

/** Chooses by which programs are there. Homebrew counts on macOS alone: on Linux the system's own comes first. */
export async function findInstallCommand(
  platform: NodeJS.Platform,
  isThere: (program: string) => Promise<boolean>,
): Promise<InstallCommand> {
  for (const { program, install } of packageManagers) {
    const fits = (program === 'brew') === (platform === 'darwin') && (program === 'winget') === (platform === 'win32');
    if (fits && (await isThere(program))) return install;
  }
  return () => undefined;
}
