import { inWords } from '../../src/message/message.ts'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'

import { destination as ntfy } from '../../adapters/ntfy/ntfy.ts'
import { destination as push } from '../../adapters/push/push.ts'
import { destination as pushover } from '../../adapters/pushover/pushover.ts'
import { destination as webhook } from '../../adapters/webhook/webhook.ts'
import { kinds } from '../../src/alerts/index.ts'
import type { Command } from '../../src/command/command.ts'
import { commandList } from '../../src/commands/index.ts'
import { usage } from '../../src/commands/start/help.ts'
import { closing } from '../support/alerts-page/closing.ts'
import { type BotUnderTest, startBot } from '../support/bot.ts'
import { handClock } from '../support/clock.ts'
import { codeIn } from '../support/people.ts'
import { GROUP, openDesk, trader } from './desk.ts'
import { openRecordsDesk } from './records-desk.ts'

const PATH = fileURLToPath(new URL('../../docs/commands.md', import.meta.url))

const HEAD = `# Commands

Every command: how to say it, examples, and a real answer. [Recipes](recipes.md) begin with what you want.

\`\`\`text
> /alert price ETH below 2400
\`\`\`

* \`<…>\` must be there, \`[…]\` may be. Perch asks for what is missing, with buttons, and your next message answers.
* Arguments may come in any order if their kinds tell them apart.
* Symbols and labels are read in any case. A wallet is named by its label, its address, or the start of either.
* Figures are read as people write them: \`5%\`, \`$1.5k\`, \`70k\`, \`1h30m\`.
* The answers are shown as plain text, with buttons as \`[label: the line that it says]\`. Telegram and Discord show them better.
* \`margin-ratio\` exists where the venue shows accounts.
`

const FOOT = `## How to change this page

It is made from the declarations in \`src/commands/\`, with answers of the real bot on a stage. Change those, then run
\`UPDATE_DOCS=1 npx vitest run test/commands/docs.test.ts\`. The tests fail while the page is not current.
`

/** Where people are told and never speak. */
const NAMED = [
  { name: 'ntfy', ...ntfy },
  { name: 'pushover', ...pushover },
  { name: 'webhook', ...webhook },
  { name: 'push', ...push },
]

/** What is said before, so that the first example shows its usual answer. */
const BEFORE: Partial<Record<string, string>> = {
  watch: '/unwatch main yes',
  unmute: '/mute 8h',
  escalate: '/escalate @bob 15m',
}
/** Of somebody else, who has agreed to stand in. */
const OF_OTHERS: ReadonlySet<string> = new Set(['escalate', 'agree', 'handover'])

/** Said in this order at a venue that keeps records of each wallet, which the usual stage does not. */
const BY_RECORDS = ['/pnl', '/balances', '/funding paid week', '/subs main']
/** A second answer of a command, at that venue. */
const ALSO: Partial<Record<string, string>> = { funding: '/funding paid week' }

type Answers = ReadonlyMap<string, string>

async function recordedAnswers(): Promise<Answers> {
  await using bot = await openRecordsDesk()
  const answers = new Map<string, string>()
  for (const line of BY_RECORDS) answers.set(line, await bot.says(line))
  return answers
}

async function conversation(command: Command, recorded: Answers): Promise<string> {
  const also = ALSO[command.name]
  const lines = [firstExample(command), ...(also === undefined ? [] : [also])]
  const all: string[] = []
  for (const line of lines) {
    const answer = recorded.get(line)
    all.push(answer === undefined ? await staged(command) : `> ${line}\n\n${answer}`)
  }
  return all.join('\n\n')
}

const firstExample = ({ name, forms }: Command) => forms[0]?.examples[0] ?? `/${name}`

async function staged(command: Command): Promise<string> {
  const { name } = command
  const line = firstExample(command)
  if (name === 'quit') {
    await using bot = await startBot({ clock: handClock() })
    return `> ${line}\n\n${await bot.says(line)}`
  }
  await using bot = await openDesk({}, { site: { url: 'https://perch.example', isPublic: true } })
  bot.stage.preview(closing)
  if (OF_OTHERS.has(name)) await bobAgrees(bot)
  const before = BEFORE[name]
  if (before !== undefined) await bot.says(before, trader)
  const place = name === 'channel' ? { place: GROUP } : {}
  return `> ${line}\n\n${await bot.says(line, { ...trader, ...place })}`
}

async function bobAgrees(bot: BotUnderTest): Promise<void> {
  const bob = { ...trader, user: 'bob' }
  await bot.says(`/start ${codeIn(await bot.says('/invite', trader))}`, bob)
  await bot.says(`/agree ${codeIn(await bot.says('/agree ask', trader))} yes`, bob)
}

async function section(command: Command, recorded: Answers): Promise<string> {
  const { name, aliases, summary, forms } = command
  const also = aliases.length === 0 ? '' : ` Also ${aliases.map((alias) => `\`/${alias}\``).join(', ')}.`
  const ways =
    forms.length === 1 && forms[0]
      ? `\`${usage(command, forms[0])}\``
      : forms.map((form) => `- \`${usage(command, form)}\`: ${inWords(form.summary)}`).join('\n')
  const examples = forms
    .flatMap((form) => form.examples)
    .map((example) => `\`${example}\``)
    .join(', ')
  const shown = await conversation(command, recorded)
  return `## /${name}\n\n${sentence(inWords(summary))}${also}\n\n${ways}\n\nExamples: ${examples}\n\n\`\`\`text\n${shown}\n\`\`\`\n`
}

function sentence(text: string): string {
  const whole = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.?!]$/.test(whole) ? whole : `${whole}.`
}

test('docs/commands.md shows every command as it is', async () => {
  const recorded = await recordedAnswers()
  const sections: string[] = []
  for (const command of commandList(kinds, NAMED)) sections.push(await section(command, recorded))
  const page = [HEAD, ...sections, FOOT].join('\n')
  if (process.env['UPDATE_DOCS']) writeFileSync(PATH, page)
  expect(readFileSync(PATH, 'utf8')).toBe(page)
})
