import { item, type Message, message, words } from '../message/message.ts'
import { systemClock } from '../runtime/clock.ts'
import type { OpenBackups, Restored } from '../store/backup.ts'
import { configured, entry, fileNamed, refuse } from './environment.ts'
import { openVenues } from './venues.ts'

// `npm run restore` replaces the database by the newest intact backup, `npm run restore -- <file>` by that one. The bot
// must not run meanwhile. The old database is kept.
await run(process.argv.slice(2)).catch((error: unknown) => refuse(error, false, 'Nothing was restored'))

async function run(typed: readonly string[]): Promise<void> {
  const from = fileNamed(typed, 'npm run restore')
  const { venues: names, store, database } = await configured()
  const clock = systemClock()
  const openBackups = await entry<OpenBackups>('../stores/', store, 'backups.ts')
  // Nothing is asked of them: they say which venues they are.
  const world = { env: process.env, clock, emit: () => {}, random: Math.random }
  const { venue, identities: venues } = await openVenues(names, world)
  try {
    const asked = { now: clock.now(), from, venues, words: whatIsKnown }
    process.stdout.write(said(await openBackups({ url: database }).restore(asked)))
  } finally {
    await venue.close()
  }
}

/** Commands given after the backup are lost. People must learn that those rules do not watch for them. */
function whatIsKnown(until: number): Message {
  const lines = [
    words('restored.until', { until: { time: until, as: 'clock' } }),
    words('restored.check'),
    words('restored.again'),
  ]
  const buttons = (['wallets', 'alerts'] as const).map((one) => ({
    ...{ label: words(`restored.button.${one}`), line: `/${one}` },
    replace: false,
  }))
  return message([item('blind', words('restored.title'), lines)], { buttons })
}

function said({ from, until, aside, unsound }: Restored): string {
  return [
    ...unsound.map(({ why }) => `Passed over: ${why}`),
    `Restored ${from}: all that was kept until ${new Date(until).toISOString()}.`,
    ...(aside === null ? [] : [`What was there before is ${aside} now.`]),
    'Start Perch: it tells everybody from when it goes on.\n',
  ].join('\n')
}
