import { createInterface } from 'node:readline'

import { createPrompt } from './prompt.ts'
import { startDiscord } from './server.ts'

const DEFAULT_PORT = 4720
const MOST_SHARDS = 100

/** `npm run fake:discord`: the stand-in by itself, with a prompt to use the bot by hand. */
async function main(): Promise<void> {
  const port = Number(process.env['FAKE_DISCORD_PORT'] ?? DEFAULT_PORT)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error('FAKE_DISCORD_PORT is a port.')
  const shards = Number(process.env['FAKE_DISCORD_SHARDS'] ?? 1)
  if (!Number.isInteger(shards) || shards < 1 || shards > MOST_SHARDS)
    throw new Error(`FAKE_DISCORD_SHARDS is a number from 1 to ${MOST_SHARDS}.`)
  const discord = await startDiscord({ port, shards })
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const say = (text: string) => {
    process.stdout.write(`\r${text}\n`)
    terminal.prompt(true)
  }
  const prompt = createPrompt(discord, say)
  discord.listen((event) => {
    if (event.is !== 'gateway' || event.what !== 'ready') return
    say(shards === 1 ? 'The bot is online.' : `Shards online: ${discord.gateway.connected()}.`)
  })
  process.stdout.write(
    `Discord's stand-in is ready. Start the bot with\n` +
      `DISCORD_API_URL=${discord.apiUrl} DISCORD_BOT_TOKEN=${discord.token}\n` +
      `:help says what can be typed here; Ctrl-D ends it.\n`,
  )
  const ask = () => {
    terminal.setPrompt(prompt.shown())
    terminal.prompt()
  }
  ask()
  for await (const typed of terminal) {
    if (!(await prompt.line(typed))) break
    ask()
  }
  terminal.close()
  await discord.stop()
}

if (import.meta.main) {
  main().catch((error: NodeJS.ErrnoException) => {
    const why =
      error.code === 'EADDRINUSE' ? 'the port is taken; set FAKE_DISCORD_PORT to another one.' : error.message
    process.stderr.write(`Discord's stand-in did not start: ${why}\n`)
    process.exitCode = 1
  })
}
