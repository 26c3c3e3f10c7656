import { z } from 'zod'

import type { Declaration } from '../../../src/chat/declaration.ts'
import { isPlaceName } from '../../../src/message/address.ts'
import { inWords } from '../../../src/message/message.ts'
import { labelField, labelsOf, type Tool, tool } from '../tool.ts'

const LONGEST_WORDS = 200
/** Controls, line ends and invisible signs: one line would become several, or hide what it says. */
const UNTYPEABLE = /[\p{C}\p{Zl}\p{Zp}]/u

/** The tools that try and set alerts: their kinds are the forms of the commands `try` and `alert`. */
export function ruleTools(commands: readonly Declaration[]): Tool[] {
  const [tries, sets] = ['try', 'alert'].map((own) => commands.find(({ name }) => name === own))
  return [...(tries ? [tryAlert(tries)] : []), ...(sets ? [setAlert(sets)] : [])]
}

function tryAlert(command: Declaration): Tool {
  return tool({
    name: 'try_alert',
    title: 'Try an alert',
    description: `How often an alert would have fired in the recorded prices. Sets nothing. ${kindsOf(command)}`,
    input: inputOf(command),
    output: z.object({ answerLabels: z.array(labelField) }),
    adds: false,
    async run({ bot, inbound, now }, { kind, words }) {
      const line = lineOf(command, kind, words)
      if (line === null) return WRONG_WORDS
      const answerLabels = labelsOf(await bot.line(inbound(), line), now)
      return { is: 'found', summary: 'Nothing was set. Perch answered this:', data: { answerLabels } }
    },
  })
}

function setAlert(command: Declaration): Tool {
  return tool({
    name: 'set_alert',
    title: 'Set an alert',
    description: `Adds an alert for the person, who is told that this assistant has set it, and can remove it. Only adds: an alert that is there keeps all that it alerts for. Ask the person before. ${kindsOf(command)}`,
    input: inputOf(command),
    output: z.object({
      rule: z.string().nullable().describe('The id of the alert, such as R7; null if nothing was set'),
      answerLabels: z.array(labelField),
    }),
    adds: true,
    async run({ bot, inbound, now }, { kind, words }) {
      const line = lineOf(command, kind, words)
      if (line === null) return WRONG_WORDS
      const answer = await bot.line(inbound(), line)
      const [rule = null] = answer.buttons.flatMap((one) => /^\/remove (R\d+)$/.exec(one.line)?.[1] ?? [])
      const summary = rule === null ? 'Nothing was set. Perch answered this:' : `${rule} is set.`
      return { is: 'found', summary, data: { rule, answerLabels: labelsOf(answer, now) } }
    },
  })
}

const WRONG_WORDS = {
  is: 'refused',
  why: 'Nothing was done. The words behind a kind are one line. They name no chat, confirm nothing and are no command.',
} as const

function inputOf({ forms }: Declaration) {
  return z.strictObject({
    kind: z.enum(forms.map(({ name }) => name)),
    words: z
      .string()
      .max(LONGEST_WORDS)
      .default('')
      .describe('What stands behind the kind, as in its example, such as `BTC 120k` or `main 10% 5%`'),
  })
}

/** Each kind with its example. */
function kindsOf({ name, forms }: Declaration): string {
  const lines = forms.map(({ name: kind, summary, examples: [example = ''] }) => {
    const words = example.replace(new RegExp(`^/${name} \\S+ ?`), '')
    return `- ${kind}: ${inWords(summary)}. Words: ${words === '' ? 'none' : `\`${words}\``}`
  })
  return `Kinds, with words that work:\n${lines.join('\n')}`
}

/**
 * The one line that an assistant can say; null for words that would be more than an alert of its person. A chat may have
 * other readers, and a price far from the present one is confirmed by the person.
 */
function lineOf({ name, forms }: Declaration, kind: string, words: string): string | null {
  const parts = words.split(' ').filter((part) => part !== '')
  const isMore = parts.some(
    (part) => part.startsWith('/') || isPlaceName(part) || /^(?:yes|\?)$/i.test(part) || part.includes('…'),
  )
  if (isMore || UNTYPEABLE.test(words) || !forms.some((form) => form.name === kind)) return null
  return [`/${name}`, kind, ...parts].join(' ')
}
