import { openFolderStore } from '#server/platform/files/folder-store.ts'
import { describeMediaStore } from '#test/support/media-store-contract.ts'

describeMediaStore('a folder', async (folder) => ({
  store: openFolderStore(folder),
  folder,
  close: async () => {},
}))
