import { readFileSync, writeFileSync } from 'node:fs'

import { expect, test } from 'vitest'

import { kinds } from '../src/alerts/index.ts'
import type { Reason } from '../src/message/reason.ts'
import english from '../src/words/en/index.ts'
import { plainText, type Text } from '../src/message/message.ts'
import { CLAIM_CODE, startBot } from './support/bot.ts'
import { type Bubble, drawPhone, type Theme } from './support/phone.ts'
import { startSim, SUGGESTED } from './support/sim.ts'

const PAGE = new URL('../docs/messages.md', import.meta.url)

/** What a trader can do about each kind of alert. */
const DO: Readonly<Record<string, string>> = {
  'liquidation-distance': 'add margin or close a part: *Ways out* says how much',
  'liquidation-moved': '*Why* names the cause: funding, or another position of the account',
  'margin-ratio': 'add margin, or close the largest position: `/fix`',
  pnl: 'decide; the threshold was yours',
  'break-even': 'nothing; closing now would cost nothing',
  'funding-cost': 'close, or wait for a flip: `/funding`',
  price: 'what you set it for',
  'price-move': 'look at your positions: `/positions`',
  'funding-flip': 'nothing, if you still want to hold it',
  'funding-forecast': 'plan; it is an estimate from the present skew',
  'funding-rate': 'what you set it for',
  'position-opened': 'if that was not you, secure the wallet',
  'position-closed': 'if that was not you, look at the venue: the message says what is known',
  followed: 'nothing: the wallet is somebody else’s',
  'position-resized': 'if that was not you, secure the wallet',
  'order-filled': 'nothing',
  'order-expired': 'place it again if you still want it: your position is as it was',
  'order-stuck': 'look at the venue, or place it again there',
  tpsl: 'if it is gone while the position is open, set another one',
  'no-stop': 'set a stop loss at the venue, or `/remove` the rule',
  twap: 'nothing; after a warning, look at the position that it was meant to close',
  'market-listed': 'nothing',
  'market-removed': 'close what you hold there before the venue does',
}

/** GitHub shows the one that suits the reader's theme. */
const THEMES: Readonly<Record<'light' | 'dark', Theme>> = {
  light: {
    phone: '#1f2328',
    screen: '#dfe7ee',
    bot: '#ffffff',
    me: '#d9fdd3',
    text: '#1f2328',
    faint: '#6b7785',
    button: '#c3d0db',
  },
  dark: {
    phone: '#3d444d',
    screen: '#0f1620',
    bot: '#1d2a38',
    me: '#1f5c4a',
    text: '#f0f3f6',
    faint: '#8b98a5',
    button: '#2c3d50',
  },
}

/** The critical alert of the wallet that the simulated venue suggests, and the answer to a tap on Ack. */
async function warned(): Promise<Bubble[]> {
  await using sim = await startSim({ SIM_SPEED: '0', SIM_CONTROL: '1' })
  // The short in BTC comes near its liquidation; every other position is far from it.
  await sim.send('POST', '/_sim/price', { symbol: 'BTC', shockPercent: 18.9 })
  await using bot = await startBot({ sim, platforms: ['chat'] })
  const ann = { user: 'Ann' }
  await bot.says(`/start ${CLAIM_CODE}`, ann)
  await bot.says(`/watch ${SUGGESTED} demo`, ann)
  await bot.says('/settings zone UTC', ann)
  await bot.pass(10_000)
  const recorder = bot.platforms.get('chat')
  if (recorder === undefined) throw new Error('there is no platform')
  const posted = () => recorder.sees('Ann', 'Ann')
  const alert = posted().find(({ text }) => text.startsWith('[CRITICAL]'))
  if (alert === undefined) throw new Error('nobody was warned')
  const buttons = alert.buttons.map(({ label }) => plain(label))
  const before = new Set(posted().flatMap(({ text }) => linesOf(text)))
  const shown = linesOf(alert.text)
  await recorder.taps('Ann', buttons.find((label) => label.startsWith('Ack')) ?? '')
  const answer = posted()
    .flatMap(({ text }) => linesOf(text))
    .filter((line) => !before.has(line))
  return [
    { from: 'bot', lines: shown, buttons },
    { from: 'me', lines: ['Ack'], buttons: [] },
    { from: 'bot', lines: answer, buttons: [] },
  ]
}

const plain = (text: Text) => plainText(text, { now: 0, zone: 'UTC' })

/** The lines of a message as a phone shows them: its mark is a picture, and its buttons stand below it. */
function linesOf(text: string): string[] {
  return text
    .replace(/^\[CRITICAL\](.*) \(A\d+\)$/m, '🚨$1')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => !line.startsWith('['))
}

/** The bot is asked once for all that shows its alert. */
const bubbles = await warned()

test('the pictures of the README show a critical alert and its acknowledgement as they are', () => {
  for (const [name, theme] of Object.entries(THEMES)) {
    const path = new URL(`../docs/phone-${name}.svg`, import.meta.url)
    const picture = drawPhone('A critical alert of Perch on a phone, and its acknowledgement', bubbles, theme)
    if (process.env['UPDATE_DOCS']) writeFileSync(path, picture)
    expect(readFileSync(path, 'utf8')).toBe(picture)
  }
})

test('docs/messages.md begins with the alert of the pictures', () => {
  const [alert] = bubbles
  const buttons = alert?.buttons.map((label) => `[${label}]`).join(' ')
  compare('the alert', `\n\`\`\`text\n${alert?.lines.join('\n')}\n${buttons}\n\`\`\`\n\n`)
})

test('docs/messages.md says of every kind of alert what it means, and what to do', () => {
  const rows = kinds.map(({ name, summary }) => `| \`${name}\` | ${plain(summary)} | ${DO[name]} |`)
  expect(kinds.map(({ name }) => name).toSorted()).toEqual(Object.keys(DO).toSorted())
  compare('the table', `\n| kind | sent when | do |\n|---|---|---|\n${rows.join('\n')}\n\n`)
})

/** The row of the page about each reason for a message; a new reason needs one. */
const ROWS: Readonly<Record<Exclude<Reason, 'unconfirmed'>, string>> = {
  fired: 'How to read an alert',
  occurred: 'Alerts, by what they watch',
  worse: 'it is worse',
  better: 'it has recovered to …',
  resolved: 'it is safe again',
  reminder: 'this is a reminder',
  'gave-up': 'this is the last reminder',
  'snooze-ended': 'the snooze is over',
  acknowledged: 'somebody acknowledged it',
  snoozed: 'somebody snoozed it',
  ended: 'it ended without being safe',
  outage: "it can't see the venue",
  recovered: 'it can see again',
  summary: 'during quiet hours or a mute …',
  digest: 'daily digest',
  coalesced: 'several messages waited',
  notice: "it can't write to a chat or place",
  test: 'this is a test, or a drill',
}

test.each(Object.entries(ROWS))('docs/messages.md says what to do when a message is %s', (_reason, row) => {
  const page = readFileSync(PAGE, 'utf8')
  expect(page.includes(`| ${row} |`) || page.includes(`## ${row}\n`), row).toBe(true)
})

/** Words that pages quote by hand, by the key that says them. */
test.each<[page: string, quoted: string, key: keyof typeof english]>([
  ['telegram.md', '(possible repeat)', 'platform.repeat'],
  ['messages.md', 'SIMULATED', 'message.simulated'],
  ['messages.md', 'Ways out', 'alert.button.ways'],
  ['messages.md', 'Why', 'alert.button.why'],
  ['recipes.md', 'Snooze', 'alert.button.snooze'],
  ['recipes.md', 'Until worse', 'snooze.button.worse'],
  ['recipes.md', 'Ack', 'alert.button.ack'],
  ['recipes.md', 'Remove', 'wallets.button.remove'],
])('docs/%s quotes “%s” as it is said', (name, quoted, key) => {
  expect(readFileSync(new URL(name, PAGE), 'utf8')).toContain(quoted)
  expect(english[key]).toContain(quoted)
})

/** A part of the page that this test writes. */
function compare(name: string, now: string): void {
  const page = readFileSync(PAGE, 'utf8')
  const part = new RegExp(`(<!-- ${name} begins -->\\n)([^]*?)(<!-- ${name} ends -->)`)
  if (process.env['UPDATE_DOCS'])
    writeFileSync(
      PAGE,
      page.replace(part, (_all, begins: string, _old, ends: string) => `${begins}${now}${ends}`),
    )
  expect(part.exec(readFileSync(PAGE, 'utf8'))?.[2]).toBe(now)
}
