const folders = new WeakMap<File, string>()

/** Remembers the folder of a dropped file, which its `File` does not have. @param path such as `/Rust/a.mp4` */
export function keepFolder(file: File, path: string): void {
  folders.set(file, path.slice(0, path.lastIndexOf('/')))
}

/** The path of a file's folder; undefined when it is unknown. */
export function folderOf(file: File): string | undefined {
  const { webkitRelativePath: path } = file
  return folders.get(file) ?? (path ? path.slice(0, Math.max(0, path.lastIndexOf('/'))) : undefined)
}
