const folders = new WeakMap<File, string>()

/** Keeps the folder of a dropped file, which browsers do not say of the file itself. @param path such as `/Rust/a.mp4` */
export function keepFolder(file: File, path: string): void {
  folders.set(file, path.slice(0, path.lastIndexOf('/')))
}

/** The folders of a file that came with one, with `/` between them. */
export function folderOf(file: File): string | undefined {
  const { webkitRelativePath: path } = file
  return folders.get(file) ?? (path ? path.slice(0, Math.max(0, path.lastIndexOf('/'))) : undefined)
}
