import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { eventually } from '../../../support/patience.ts'
import { type Program, runProgram } from '../../../support/program.ts'
import { SUGGESTED } from '../../../support/sim.ts'
import type { Group } from '../../../support/telegram/groups.ts'
import type { User } from '../../../support/telegram/people.ts'
import { startTelegram, type Telegram } from '../../../support/telegram/telegram.ts'
import { documented } from '../documented.ts'

/** A shown code is worth nothing, and differs each time. */
const CODE = /\b[A-Z2-9]{4}-[A-Z2-9]{4}-[A-Z2-9]{4}\b/g
/** Moves that take every position but the one in BTC far from its liquidation. */
const CALM = [
  ['ETH', 20],
  ['Sol', 20],
  ['DOGE', -20],
] as const

test(
  'a new user’s whole conversation through the real program is what docs/telegram.md shows',
  { timeout: 60_000 },
  async () => {
    await using telegram = await startTelegram()
    const folder = await mkdtemp(join(tmpdir(), 'perch-conversation-'))
    const chapters: string[] = []
    const start = (speed: string) =>
      runProgram('src/main.ts', {
        VENUE: 'sim',
        SIM_CONTROL: '1',
        SIM_SPEED: speed,
        MARKET_POLL_MS: '100',
        OWNER_POLL_MIN_MS: '100',
        TELEGRAM_API_ROOT: telegram.root,
        TELEGRAM_BOT_TOKEN: telegram.token,
        DATABASE_URL: join(folder, 'perch.sqlite'),
      })
    const ann = telegram.user('Ann')
    let log = () => ''
    const { hears, taken } = listener(telegram, () => log())
    let through: string | null = null
    const chapter = (title: string, ...whos: (User | Group)[]) =>
      chapters.push(`${title}\n\n\`\`\`\n${whos.map((who) => taken(who, through)).join('\n')}\n\`\`\``)

    {
      // So slow that the market stands still, but for what is done to it.
      await using program = start('0.1')
      log = () => program.log()
      const claim = await claimCode(telegram, program)
      // What is not critical is told after a while only: nothing is near that would be told in the middle of the rest.
      for (const [symbol, percent] of CALM) await shock(program, symbol, percent)
      await shock(program, 'BTC', 18.9)
      await readAgain(program)
      ann.says(`/start ${claim}`)
      await hears(ann, 'You are the operator')
      chapter(
        'Ann opens `https://t.me/<bot>?start=<code>` with the code that the bot printed at its start:',
        ann,
      )

      ann.says(`/watch ${SUGGESTED} demo`)
      await hears(ann, '✓ Watching demo')
      await hears(ann, '🚨 BTC short')
      chapter('She names a wallet. The answer shows its positions, and a critical alert follows:', ann)

      ann.taps('Ack')
      await hears(ann, '✓ Ann')
      chapter('A tap on *Ack* stops the reminders, and the message says so:', ann)

      ann.says('/positions')
      await hears(ann, '[Refresh]')
      await shock(program, 'ETH', -1)
      await readAgain(program)
      ann.taps('Refresh')
      await hears(ann, 'Perch (edited):')
      chapter('`/positions` answers with a button. A tap on *Refresh* edits the message in place:', ann)

      await shock(program, 'ETH', -33.7)
      await hears(ann, '🚨 ETH long: 3')
      await shock(program, 'ETH', -1.6)
      await hears(ann, '🚨 ETH long: 1')
      await shock(program, 'ETH', 32)
      await hears(ann, 'is safe again')
      chapter('The market falls and recovers. Every change replies to the first message of its alert:', ann)

      ann.says('/alerts')
      await hears(ann, 'R2')
      ann.says('/remove R5')
      await hears(ann, 'Removed R5')
      chapter('She looks at her alerts, and removes one:', ann)

      const desk = telegram.group('Desk', { owner: ann })
      ann.says(desk, `/channel@${telegram.botName} bind`)
      await hears(desk, 'Desk is bound')
      ann.says(desk, '/alert funding-flip ETH')
      await hears(desk, '✓ I’ll alert you when')
      ann.says(desk, '/positions')
      await hears(desk, 'private chat')
      ann.says('/unwatch demo')
      await hears(ann, 'demo')
      // Weeks of the market in a few seconds: its funding flips.
      program.process.kill('SIGTERM')
      expect((await program.ends()).code, program.log()).toBe(0)
      await using faster = start('40000')
      await telegram.until(() => telegram.polled())
      await hears(desk, 'ETH funding flipped')
      // It may have flipped again since.
      through = 'ETH funding flipped'
      chapter('An administrator binds a group. Perch says nothing personal there:', desk)

      taken(ann)
      ann.says('/forget')
      await hears(ann, 'Delete everything of yours?')
      ann.taps('Delete everything')
      await hears(ann, 'All gone.')
      ann.says('/wallets')
      await hears(ann, 'This Perch is private')
      chapter('At last she leaves, and Perch deletes everything of hers:', ann)
      expect(faster.log()).not.toContain(telegram.token)
    }
    // A poll that was given up a moment ago may still be open there when the next one comes: its 409 reaches nobody.
    // What a tap has changed is changed once more, to the same.
    const harmless = /message is not modified/
    expect(
      telegram.refused().filter((one) => one.status !== 409 && !harmless.test(one.description ?? '')),
    ).toEqual([])
    await compare(chapters.join('\n\n').replaceAll(CODE, 'K7QF-3MZB-TN4W'))
    await rm(folder, { recursive: true })
  },
)

/** Waits for words in a chat, and hands out what is new there. */
function listener(telegram: Telegram, log: () => string) {
  const shown = new Map<number, number>()
  /** What closing costs is written into a message when the venue has said so, sooner or later: docs/alerts.md shows it. */
  const entries = (who: User | Group) => {
    const last = new Map<number, string>()
    return occurrences(who).flatMap(({ id, entry }) => {
      const rest = entry.replace(
        /\n *(?:Or close a part of it|Close (?:\d+%|all) → [^\n]*|Add [^\n]* → 20% away)(?=\n|$)/g,
        '',
      )
      const said = rest.replace(/^Perch[^\n]*\n/, '')
      // Old messages lose their buttons when there is room for it, between any two others.
      if (last.get(id) === said || /\n *✓ Over since /.test(said)) return []
      last.set(id, said)
      return [rest]
    })
  }
  const occurrences = ({ id }: User | Group) =>
    telegram.ledger.history
      .filter(({ message, is }) => message.chat.id === id && is !== 'deleted')
      .filter(({ message }) => !message.service)
      .map((occurrence) => {
        const { message, is, text, entities, buttons } = occurrence
        const markup = buttons.length > 0 ? { rows: buttons.map((row) => [...row]), given: {} } : null
        const then = {
          ...message,
          text,
          entities: [...entities],
          markup,
          editDate: is === 'edited' ? 1 : null,
        }
        return { id: message.id, entry: telegram.ledger.entry(then) }
      })
  return {
    async hears(who: User | Group, words: string) {
      const fresh = () => entries(who).slice(shown.get(who.id) ?? 0)
      const heard = () => fresh().some((entry) => entry.startsWith('Perch') && entry.includes(words))
      const silent = () =>
        expect(
          `${fresh().join('\n')}\n${telegram.asked
            .slice(-5)
            .map(({ method, outcome }) => `${method} ${outcome}`)
            .join(', ')}\n${log()}`,
        ).toContain(words)
      await telegram.until(heard).catch(silent)
    },
    /** Everything, or up to the first that holds these words. */
    taken(who: User | Group, through: string | null = null) {
      const all = entries(who)
      const fresh = all.slice(shown.get(who.id) ?? 0)
      shown.set(who.id, all.length)
      const last = through === null ? -1 : fresh.findIndex((entry) => entry.includes(through))
      return fresh.slice(0, last < 0 ? fresh.length : last + 1).join('\n')
    },
  }
}

async function claimCode(telegram: Telegram, program: Program): Promise<string> {
  await telegram.until(() => telegram.polled())
  return /private chat: \/start (\S+)/.exec(program.log())?.[1] ?? ''
}

/** Through the control door of the program's venue. */
async function door(program: Program, path: string, body?: object): Promise<unknown> {
  const line =
    program
      .log()
      .split('\n')
      .find((one) => one.includes('"simulated venue"')) ?? ''
  const { url } = JSON.parse(line) as { url: string }
  const asked = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
  const response = await fetch(`${url}/_sim/${path}`, asked)
  expect(response.status).toBe(200)
  return response.json()
}

const shock = (program: Program, symbol: string, shockPercent: number) =>
  door(program, 'price', { symbol, shockPercent })

/** Waits until the program has read the markets: the third request after now says that the second was answered. */
async function readAgain(program: Program): Promise<void> {
  await door(program, 'fault', { path: '/markets', kind: 'delay', delayMs: 0, times: 3 })
  await eventually(async () => {
    const { faults } = (await door(program, 'state')) as { faults: unknown[] }
    return faults.length === 0
  })
}

/** Figures and times differ from run to run, and with them the units of times; words, order, buttons and replies do not. */
async function compare(transcript: string): Promise<void> {
  const written = await documented('conversation', transcript)
  expect(worded(transcript)).toBe(worded(written))
}

function worded(text: string): string {
  return (
    text
      // Sent only where the machine was slow: usually its person has left before it is drawn.
      .replace(/^Perch \(silent, reply to [^\n]*\n +\[photo [^\n]*\n(?: [^\n]*\n)*/gm, '')
      .replace(/-?\d[\d.,]*/g, '#')
      .replace(/\bjust now\b/g, '# s ago')
      // Told only where the machine was slow.
      .replace(/ · seen at [^\n]* late/g, '')
      // Told only where the second start took its time.
      .replace(/\n *while I was away.*/g, '')
      .replace(/# (?:ms|s|min|h|d)\b(?: # (?:ms|s|min|h|d)\b)*/g, '#')
      .trim()
  )
}
