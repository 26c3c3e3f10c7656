import type { Kind } from '../../alert/alert.ts'
import type { AtRisk } from '../../alert/deleverage.ts'
import { monitorOf } from '../../alert/monitor.ts'
import { type SubjectId, subjectKey } from '../../alert/subject-id.ts'
import type { Reading } from '../../runtime/clock.ts'
import type { Market } from '../../venue/market.ts'
import { notional, type Position, onBrokenScale } from '../../venue/position.ts'
import { poolOf, sharingOf, type WalletView } from '../memory/wallet-view.ts'
import type { Memory } from '../memory/memory.ts'
import { monitorNamed } from '../monitors/monitors.ts'
import { chatsToldOf } from '../monitors/recipients.ts'
import { lookAt } from './firing.ts'

/** An alert that closing helps, loud enough for somebody to want to know what that costs; null when it is none now. */
export function atRisk(
  drawers: Pick<
    Memory,
    'people' | 'rules' | 'monitors' | 'silences' | 'wallets' | 'markets' | 'sources' | 'run'
  >,
  kinds: readonly Kind[],
  alertId: number,
): AtRisk | null {
  const key = drawers.monitors.firing.get(alertId)
  const { state, value } = drawers.monitors.states.get(key ?? '') ?? {}
  if (key === undefined || state?.is !== 'firing' || drawers.monitors.notEvaluatedYet.has(key)) return null
  // An alert that was told to nobody gets no figures: they cost requests.
  if (chatsToldOf(drawers, alertId).length === 0) return null
  const { chatId, subject } = monitorOf(key)
  const monitor = monitorNamed(lookAt(drawers, kinds), monitorOf(key))
  if (monitor?.kind.is !== 'level' || !monitor.kind.aboutLiquidation || !('wallet' in subject)) return null
  const { tier } = state
  const severity = monitor.kind.severity(monitor.params, tier)
  const view = drawers.wallets.views.get(subject.wallet)
  // A position that only an earlier run has read may have changed by now.
  const largest = view && view.mono > -Infinity ? largestOf(drawers, view, subject) : undefined
  if (severity === 'info' || !view || !largest) return null
  const room = monitor.kind.headroom(drawers.monitors.values.get(key) ?? value ?? 0)
  const isOfAccount = subject.is === 'account'
  return {
    alertId,
    chatId,
    tier,
    severity,
    room,
    pool: poolKey(view, largest.position),
    isOfAccount,
    ...largest,
  }
}

/** Returns the position of the subject that is worth the most and can be closed. */
function largestOf(
  { markets: { readings: markets } }: Pick<Memory, 'markets'>,
  view: WalletView,
  subject: SubjectId,
) {
  const own =
    subject.is === 'account' ? sharingOf(view, subject.accountId) : view.held.get(subjectKey(subject))
  const open = [own ?? []].flat().flatMap(({ position, missingSince }): Priced[] => {
    const market = markets.get(position.marketId)
    const isFit = market && !market.value.delisted && !onBrokenScale(position, market.value.price)
    return isFit && missingSince === null ? [{ position, market }] : []
  })
  return open.toSorted((a, b) => worth(b) - worth(a))[0]
}

interface Priced {
  position: Position
  market: Reading<Market>
}

function worth({ position, market }: Priced): number {
  return notional(position, market.value.price)
}

function poolKey(view: WalletView, { wallet, accountId, margin }: Position): string | null {
  const pool = margin === 'isolated' ? null : poolOf(view, accountId)
  return pool === null ? null : subjectKey({ is: 'account', wallet, accountId: pool })
}
