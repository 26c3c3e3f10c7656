import { restyle } from './lib/number-style.ts'
import type { Message, Text } from './message.ts'
import type { NumberStyle } from './person.ts'

/** What a message says last where play money could be taken for earnest. */
const SIMULATED = 'SIMULATED: play money, no real position'

/** A message as one reader gets it: their style of numbers, and a mark where nothing of it is real. */
export function dress(
  message: Message,
  { numbers, simulated }: { numbers: NumberStyle; simulated: boolean },
): Message {
  const text = (of: Text): Text =>
    typeof of === 'string'
      ? restyle(of, numbers)
      : of.map((span) => {
          if (typeof span === 'string') return restyle(span, numbers)
          return 'strong' in span ? { strong: restyle(span.strong, numbers) } : span
        })
  const { items, table, buttons, footnote } = message
  const footer = footnote === null ? null : text(footnote)
  return {
    items: items.map((item) => ({ ...item, title: text(item.title), lines: item.lines.map(text) })),
    table: table && { ...table, rows: table.rows.map((row) => row.map((cell) => restyle(cell, numbers))) },
    buttons,
    footnote: simulated ? joined(SIMULATED, footer) : footer,
  }
}

function joined(mark: string, footnote: Text | null): Text {
  if (footnote === null) return mark
  return [`${mark} · `, ...(typeof footnote === 'string' ? [footnote] : footnote)]
}
