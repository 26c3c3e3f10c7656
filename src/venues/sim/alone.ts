import { systemClock } from '../../runtime/clock.ts'
import { schema } from './config.ts'
import { play } from './play.ts'

const DEFAULT_PORT = 4700

/** `npm run venue` runs the simulated venue by itself, for a bot whose VENUE_URL points at it. */
async function main(): Promise<void> {
  const parsed = schema.safeParse(process.env)
  if (!parsed.success) throw new Error(parsed.error.issues.map((issue) => issue.message).join('\n'))
  const options = parsed.data
  const playing = await play({ ...options, port: options.port ?? DEFAULT_PORT }, systemClock(), (event) => {
    if (event.is === 'venue-ended') say('The replay is over; the last price stays.')
  })
  const [first, ...others] = playing.wallets
  say(`The simulated venue listens on ${playing.url} (play money, chain 8008).`)
  say(playing.plays)
  say(`Try the wallet ${first}; others are ${others.join(' and ')}.`)
  if (options.control) say(`The control door is open: ${playing.url}/_sim/state`)
  say('Ctrl-C ends it.')

  const end = () => void playing.close()
  process.once('SIGTERM', end)
  process.once('SIGINT', end)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

if (import.meta.main) {
  main().catch((error: NodeJS.ErrnoException) => {
    const why =
      error.code === 'EADDRINUSE' ? 'the port is taken; set SIM_PORT to another one.' : error.message
    process.stderr.write(`The simulated venue did not start: ${why}\n`)
    process.exitCode = 1
  })
}
