import type { Kind, Rule } from '../../alert.ts'
import type { Context } from '../../context.ts'
import { joined, text } from '../../message.ts'
import type { Text } from '../../message.ts'
import { side } from '../../position.ts'

/** Positions named in one line. */
const NAMED = 3

/** Of what is held and covered by a rule that can never be judged there: silence would be a lie. */
export function lackingLines(
  { view, person }: Pick<Context, 'view' | 'person'>,
  kind: Kind,
  rule: Rule,
): Text[] {
  if (kind.is !== 'level') return []
  const owners = rule.owner === null ? view.watches(person.id).map(({ owner }) => owner) : [rule.owner]
  const held = owners.flatMap((owner) => view.positions(owner)?.value ?? [])
  const lacking = held.flatMap((position) => {
    if (rule.market !== null && rule.market.id !== position.marketId) return []
    const why = kind.lacks(rule.params, position)
    return why === null ? [] : [{ why, name: `${view.symbol(position.marketId)} ${side(position)}` }]
  })
  const [first] = lacking
  if (!first) return []
  const names = [...new Set(lacking.map(({ name }) => name))]
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : ''
  return [text`I cannot watch ${joined(names.slice(0, NAMED), ', ')}${more}: ${first.why}`]
}
