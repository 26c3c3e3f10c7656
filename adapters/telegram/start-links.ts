import type { Message, Text } from '../../src/message.ts'

/** https://core.telegram.org/bots/features#deep-linking: what the parameter may be. */
const START = /^\/start ([\w-]{1,64})$/

/** Beside a code that lets somebody in, the link that says it with a tap. Pure. */
export function withStartLinks(message: Message, botName: string): Message {
  const linked = (line: Text): Text[] => {
    const [code] = codesOf(line)
    return code === undefined ? [line] : [line, `or open https://t.me/${botName}?start=${code}`]
  }
  return { ...message, items: message.items.map((item) => ({ ...item, lines: item.lines.flatMap(linked) })) }
}

function codesOf(line: Text): string[] {
  const spans = typeof line === 'string' ? [] : line
  return spans.flatMap((span) => {
    const code = typeof span === 'object' && 'code' in span ? START.exec(span.code)?.[1] : undefined
    return code ?? []
  })
}
