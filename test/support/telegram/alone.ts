import { createInterface } from 'node:readline'

import { createPrompt, HELP, told } from './prompt.ts'
import { startTelegram } from './telegram.ts'

const DEFAULT_PORT = 4710

/** `npm run fake:telegram`: the stand-in by itself, for a bot that is pointed at it and a person who talks to the bot. */
async function main(): Promise<void> {
  const port = process.env['FAKE_TELEGRAM_PORT'] ?? String(DEFAULT_PORT)
  if (!/^\d{1,5}$/.test(port)) throw new Error('FAKE_TELEGRAM_PORT is a port number, such as 4710')
  const telegram = await startTelegram({ port: Number(port) })
  say('The stand-in of Telegram is open on loopback. In another terminal, start the bot with')
  say(`  VENUE=sim TELEGRAM_API_ROOT=${telegram.root} TELEGRAM_BOT_TOKEN=${telegram.token} npm start`)
  say(`It is @${telegram.botName} there; https://t.me/${telegram.botName}?start=CODE is “/start CODE” here.`)
  say(HELP)

  const prompt = createPrompt(telegram, say)
  const lines = createInterface({ input: process.stdin, output: process.stdout })
  const ask = () => {
    lines.setPrompt(`${prompt.where()}> `)
    lines.prompt(true)
  }
  telegram.ledger.listen((occurrence) => {
    const text = told(telegram, occurrence)
    if (text === null) return
    say(`${process.stdout.isTTY ? '\r\u001b[K' : ''}${text}`)
    ask()
  })
  lines.on('line', (line) => {
    if (prompt.line(line)) ask()
    else lines.close()
  })
  lines.once('close', () => {
    // An input that stays open would keep the process.
    process.stdin.destroy()
    void telegram.stop()
  })
  process.once('SIGTERM', () => lines.close())
  process.once('SIGINT', () => lines.close())
  ask()
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

if (import.meta.main) {
  main().catch((error: NodeJS.ErrnoException) => {
    const why =
      error.code === 'EADDRINUSE'
        ? 'the port is taken; set FAKE_TELEGRAM_PORT to another one.'
        : error.message
    process.stderr.write(`The stand-in did not start: ${why}\n`)
    process.exitCode = 1
  })
}
