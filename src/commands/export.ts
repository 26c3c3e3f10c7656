import { z } from 'zod'

import { argument } from '../argument.ts'
import { findKind } from '../alert.ts'
import type { Kind, Rule } from '../alert.ts'
import { command } from '../command.ts'
import type { View } from '../command.ts'
import { item, message, say } from '../message.ts'
import type { Person } from '../person.ts'

/** Lines of one page: with the longest lines they stay within one message. */
const PAGE = 15

/** Gives everything of a person as JSON: the commands that would make it again. */
export default command({
  name: 'export',
  summary: 'gives you everything of yours, as commands that can be replayed',
  examples: ['/export', '/export 2'],
  args: z.object({ page: argument.page().default(1) }),
  run({ person, view, kinds }, { page: asked }) {
    const lines = exported(person, view, kinds)
    if (lines.length === 0) return say('There is nothing of yours yet.')
    const pages = Math.ceil(lines.length / PAGE)
    const page = Math.min(asked, pages)
    const shown = lines.slice((page - 1) * PAGE, page * PAGE)
    return message(
      [item('plain', `${lines.length} commands, as JSON`, [[{ code: JSON.stringify(shown, null, 1) }]])],
      {
        footnote: `page ${page} of ${pages}`,
        buttons: page < pages ? [{ label: 'More ›', line: `/export ${page + 1}`, replace: false }] : [],
      },
    )
  },
})

/** The commands that make a new person's Perch like this one. */
export function exported(person: Person, view: View, kinds: readonly Kind[]): string[] {
  const watches = view.watches(person.id)
  const labelOf = (owner: string) => watches.find((watch) => watch.owner === owner)?.label ?? owner
  return [
    `/settings zone ${person.zone}`,
    `/settings numbers "${person.numbers}"`,
    ...watches.map(({ owner, label }) => `/watch ${owner} "${label}"`),
    ...view
      .rules(person.id)
      .filter(({ armedByWatch }) => !armedByWatch)
      .map((rule) => ruleLine(rule, findKind(kinds, rule.kind), labelOf)),
  ]
}

function ruleLine(rule: Rule, kind: Kind | undefined, labelOf: (owner: string) => string): string {
  const scope = [rule.market?.symbol, rule.owner === null ? undefined : `"${labelOf(rule.owner)}"`]
  return ['/alert', rule.kind, ...scope, kind?.typed(rule.params)]
    .filter((part) => part !== undefined && part !== '')
    .join(' ')
}
