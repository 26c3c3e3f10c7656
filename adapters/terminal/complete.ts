import type { Bot, Inbound } from '../../src/chat.ts'
import { oneLine } from './render.ts'

/** What the Tab key offers for the last word: command names, kinds, then the likely values of an argument. */
export function complete(bot: Bot, from: Inbound, typed: string): [string[], string] {
  const words = typed.trimStart().split(/\s+/)
  const word = words.at(-1) ?? ''
  const starting = (candidates: readonly string[]): [string[], string] => {
    const hits = candidates.filter((candidate) => candidate.toLowerCase().startsWith(word.toLowerCase()))
    return [hits.map((hit) => `${oneLine(hit)} `), word]
  }
  if (words.length < 2) return starting(bot.commands.map(({ name }) => `/${name}`))

  const name = words[0]?.replace(/^\//, '').toLowerCase() ?? ''
  const command = bot.commands.find((one) => one.name === name || one.aliases.includes(name))
  if (!command) return [[], word]
  const forms = command.forms.filter((form) => form.name !== '')
  const form = forms.find((one) => one.name === words[1]) ?? command.forms.find((one) => one.name === '')
  if (forms.length > 0 && words.length === 2) return starting(forms.map((one) => one.name))
  const before = form?.name ? 2 : 1
  const argument = form && Object.keys(form.args.shape)[words.length - 1 - before]
  if (argument === undefined) return [[], word]
  return starting(bot.suggest(from, command.name, argument, word).map(({ value }) => value))
}
