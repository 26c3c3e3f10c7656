import { createInterface } from 'node:readline'

import { createPrompt, HELP } from './prompt.ts'
import { startLighter } from './server.ts'

const DEFAULT_PORT = 4740

/** `npm run fake:lighter`: the stand-in by itself, with a prompt to move prices and to make accounts. */
async function main(): Promise<void> {
  const said = process.argv[2] ?? process.env['FAKE_LIGHTER_PORT'] ?? String(DEFAULT_PORT)
  const port = Number(said)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new Error(`${said} is no port; say one as an argument or in FAKE_LIGHTER_PORT, such as 4740`)
  }
  const venue = await startLighter({ port })
  const prompt = createPrompt(venue, say)
  say('The stand-in of Lighter is open on loopback. In another terminal, start the bot with')
  say(`  VENUE=lighter VENUE_URL=${venue.url} npm start`)
  say(`and say /watch ${prompt.wallet} main. Nothing here is real.`)
  say(HELP)

  const lines = createInterface({ input: process.stdin, output: process.stdout })
  lines.setPrompt('lighter> ')
  lines.prompt()
  lines.on('line', (line) => {
    if (prompt.line(line)) lines.prompt()
    else lines.close()
  })
  lines.once('close', () => {
    // An input that stays open would keep the process.
    process.stdin.destroy()
    void venue.stop()
  })
  process.once('SIGTERM', () => lines.close())
  process.once('SIGINT', () => lines.close())
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

if (import.meta.main) {
  main().catch((error: NodeJS.ErrnoException) => {
    const why =
      error.code === 'EADDRINUSE'
        ? 'the port is taken; say another one as an argument or in FAKE_LIGHTER_PORT.'
        : error.message
    process.stderr.write(`The stand-in of Lighter did not start: ${why}\n`)
    process.exitCode = 1
  })
}
