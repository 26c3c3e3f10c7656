import { outdated } from '../ops/nightly.ts'
import { systemClock } from '../runtime/clock.ts'
import { NOT_MADE, type OpenBackups } from '../store/backup.ts'
import { configured, entry, fileNamed, refuse } from './environment.ts'

// `npm run backup`, which the bot also runs every night, makes a backup and removes those no longer needed. `npm run
// backup -- <file>` makes one there and removes none.
await backUp(process.argv.slice(2)).catch((error: unknown) => refuse(error, false, NOT_MADE))

async function backUp(words: readonly string[]): Promise<void> {
  const to = fileNamed(words, 'npm run backup')
  const { store, database } = await configured()
  const openBackups = await entry<OpenBackups>('../stores/', store, 'backups.ts')
  const backups = openBackups({ url: database })
  const made = await backups.make({ now: systemClock().now(), to })
  process.stdout.write(`${made.file}, ${(made.bytes / 1e6).toFixed(1)} MB: whole, and checked.\n`)
  if (to !== null) return
  for (const old of outdated(await backups.list())) await backups.remove(old)
}
