import { openDatabase, type OpenedDatabase } from '../../src/stores/sqlite/file/database.ts'

/** Opens a file on a disk that has everything at once: a clock that is turned by hand would not wait for it. */
export function onInstantDisk(file: string): OpenedDatabase {
  const opened = openDatabase(file)
  return { ...opened, log: { ...opened.log, onDisk: async () => {} } }
}
