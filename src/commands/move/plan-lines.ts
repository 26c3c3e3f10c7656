import { joined, type Text, words } from '../../message/message.ts'
import { type Left, type Plan, shortName } from './plan.ts'

/** A message of a question has nine lines: with its title and its button these are named, and the rest counted. */
const MAX_REASONS = 3
const MAX_NAMED = 3
const MAX_GROUPS = 2
/** A hostile file may have thousands, and to clean a name takes time. */
const MAX_READ = 20

/** Lists the taken wallets, alerts and settings, in a line each. */
export function takenLines({ change }: Plan): Text[] {
  const { watches, rules, settings, preset, chats, mutes } = change
  const own = rules.filter(({ draft }) => !draft.armedByWatch).length
  const quiet = chats.filter((one) => one.quiet !== null).length > 0
  const digests = chats.some((one) => one.digest !== null || one.weekly !== null)
  const other = [
    ...(settings.zone === undefined ? [] : [words('import.zone', { zone: settings.zone })]),
    ...(Object.keys(settings).some((key) => key !== 'zone') ? [words('import.settings')] : []),
    ...(preset ? [words('import.preset', { name: preset.name })] : []),
    ...(quiet ? [words('import.quiet')] : []),
    ...(digests ? [words('import.digest')] : []),
    ...(mutes.length > 0 ? [words('import.mutes', { n: mutes.length })] : []),
  ]
  return [
    ...(watches.length === 0
      ? []
      : [
          words('import.wallets', {
            names: someOf(
              watches.map(({ label, as }) => (as === 'own' ? label : words('import.followed', { label }))),
            ),
          }),
        ]),
    ...(rules.length === 0 ? [] : [words('import.alerts', { own, armed: rules.length - own })]),
    ...(other.length === 0 ? [] : [words('import.also', { list: joined(other, ', ') })]),
  ]
}

/** Lists the differences from the old Perch, the most important first: alerts that are off, moved, or left out. */
export function lackingLines({ left, moved, unarmed, known }: Plan): Text[] {
  const off = unarmed.map(({ kind, label }) => words('export.disarmed.one', { kind, wallet: label }))
  const here = known.wallets + known.alerts
  return [
    ...(off.length === 0 ? [] : [words('import.off', { names: someOf(off) })]),
    ...movedLines(moved),
    ...leftLines(left),
    ...(here === 0 ? [] : [words('import.known', { n: here })]),
  ]
}

/** Every group is counted: nobody learns by its silence where its alerts went. */
function movedLines(moved: Plan['moved']): Text[] {
  const shown = [...moved].slice(0, MAX_GROUPS).map(([chat, n]) => words('import.moved', { n, chat }))
  const others = [...moved].slice(MAX_GROUPS)
  const n = others.reduce((sum, [, count]) => sum + count, 0)
  return n === 0 ? shown : [...shown, words('import.moved.more', { n, groups: others.length })]
}

function leftLines(left: readonly Left[]): Text[] {
  const reasons = [...Map.groupBy(left, ({ why }) => why)]
  const shown = reasons.slice(0, MAX_REASONS).map(([why, all]) => {
    const names = [...new Set(all.slice(0, MAX_READ).map(({ of }) => shortName(of)))].slice(0, MAX_NAMED)
    return words(`import.left.${why}`, { n: all.length, names: names.join(', ') })
  })
  const more = reasons.slice(MAX_REASONS).reduce((sum, [, all]) => sum + all.length, 0)
  return more === 0 ? shown : [...shown, words('import.left.more', { n: more })]
}

function someOf(names: readonly Text[]): Text {
  const shown = joined(names.slice(0, MAX_NAMED), ', ')
  const more = names.length - MAX_NAMED
  return more > 0 ? words('export.names.more', { names: shown, n: more }) : shown
}
