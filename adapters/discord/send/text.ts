import { plainText, spokenSpans, type Text, wordsOf } from '../../../src/message/message.ts'

/** `positions` or `alert price-above` → the number by which Discord links it. */
export type CommandIds = ReadonlyMap<string, string>

const NO_COMMANDS: CommandIds = new Map()

/**
 * The characters of Discord's markdown; a backslash before any of them is not shown
 * (https://support.discord.com/hc/en-us/articles/210298617). A line that begins with a dash would be a list, and one that
 * begins with a hash a heading. Elsewhere a hash begins the name of a channel.
 */
const MARKS = /[\\*_~`|<>[\]@]/g

// Bidirectional controls can make a name read as another text, and line breaks can imitate a line of ours. The others
// are invisible.
// oxlint-disable-next-line no-control-regex -- they are the very thing that is looked for
const HIDDEN = /[\u0000-\u001F\u007F-\u009F\u200B\u2028-\u202E\u2066-\u2069]/g

/** The literal words, in one line. */
export function escaped(words: string): string {
  return words
    .replace(HIDDEN, ' ')
    .replace(MARKS, String.raw`\$&`)
    .replaceAll('://', String.raw`:\//`)
    .replace(/^(\s*)([-+]|#{1,3})(?=\s)/gm, String.raw`$1\$2`)
}

/** A text in Discord's markdown; times are shown in each reader's zone, commands can be tapped. */
export function markdown(text: Text, commands: CommandIds = NO_COMMANDS): string {
  return spokenSpans(text)
    .map((span) => spanMarkdown(span, commands))
    .join('')
}

function spanMarkdown(span: ReturnType<typeof spokenSpans>[number], commands: CommandIds): string {
  if (typeof span === 'string' || 'figure' in span) return linked(wordsOf(span), commands)
  if ('strong' in span) return `**${escaped(span.strong)}**`
  if ('code' in span) return code(span.code)
  // https://docs.discord.com/developers/reference#message-formatting-timestamp-styles
  return `<t:${Math.floor(span.time / 1000)}:${span.as === 'clock' ? 't' : 'R'}>`
}

/** Fixed width. Words with a backtick of their own stay plain. */
function code(words: string): string {
  return words.includes('`') || words.trim() === '' ? escaped(words) : `\`${words.replace(HIDDEN, ' ')}\``
}

/** Lines of a fixed width. Three backticks in a row would end them. */
export function codeBlock(lines: readonly string[]): string {
  const open = lines.map((line) => line.replace(HIDDEN, ' ').replaceAll('```', '`\u200B`\u200B`'))
  return `\`\`\`\n${open.join('\n')}\n\`\`\``
}

/** `/positions` becomes `</positions:123>`, also where arguments follow it. */
function linked(words: string, commands: CommandIds): string {
  let done = 0
  let shown = ''
  for (const match of words.matchAll(/(?<=^|[\s(“:])\/([a-z][a-z-]*)(?: ([a-z][a-z-]*))?/g)) {
    const [whole, name = '', form = ''] = match
    const found = [`${name} ${form}`, name].find((one) => commands.has(one))
    if (found === undefined) continue
    shown += `${escaped(words.slice(done, match.index))}</${found}:${commands.get(found)}>`
    done = match.index + (found === name ? name.length + 1 : whole.length)
  }
  return shown + escaped(words.slice(done))
}

/** Without any style: for titles, where Discord shows neither times nor links. */
export function titleText(text: Text, now: number): string {
  return escaped(plainText(text, { now, zone: 'UTC' }))
}

/** As many whole lines as fit. */
export function wholeLines(lines: readonly string[], most: number): string[] {
  const kept: string[] = []
  let left = most
  for (const line of lines) {
    if (line.length > left) break
    kept.push(line)
    left -= line.length + 1
  }
  return kept
}

/** Cut at a whole character, with an ellipsis. */
export function cutTo(words: string, most: number): string {
  if (words.length <= most) return words
  const cut = words.slice(0, most - 1)
  // The cut must leave neither half of a surrogate pair nor a lone backslash.
  return `${cut.replace(/[\uD800-\uDBFF\\]$/, '')}…`
}
