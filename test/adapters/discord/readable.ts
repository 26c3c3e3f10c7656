import { agoText } from '../../../src/lib/text/format.ts'
import { clockTime } from '../../../src/lib/time/daytime.ts'
import type { Message } from '../../support/discord/messages.ts'
import { buttonsOf } from '../../support/discord/readable.ts'

const STYLES =
  /```\n([\s\S]*?)\n```|`([^`\n]+)`|\\([^0-9A-Za-z\s])|<t:(\d+):([tR])>|<\/([^:>]+):\d+>|\*\*|^-# /gm

/** Discord's markdown as a person reads it: styles undone, times written out. */
export function undone(markdown: string, now: number): string {
  return markdown.replace(
    STYLES,
    (_all, block?: string, code?: string, sign?: string, at?: string, how?: string, command?: string) => {
      if (at !== undefined) {
        const time = Number(at) * 1000
        return how === 't' ? clockTime(time, { now, zone: 'UTC' }) : agoText(now - time)
      }
      return block ?? code ?? sign ?? (command === undefined ? '' : `/${command}`)
    },
  )
}

/** Everything that a person sees of a message. */
export function seenText(message: Message, now: number): string {
  const { content, embeds, attachments } = message
  return [
    ...(content === '' ? [] : [undone(content, now)]),
    ...embeds.flatMap(({ title, description }) =>
      [title, description].filter(Boolean).map((one) => undone(one, now)),
    ),
    ...attachments.map(({ filename, size }) => `<${filename}, ${size} bytes>`),
    ...buttonsOf(message).map(({ label }) => label),
  ].join('\n')
}

export function isStyled({ content, embeds }: Message): boolean {
  return embeds.length > 0 || /(?<!\\)(\*\*|`|<t:)|^-# /m.test(content)
}
