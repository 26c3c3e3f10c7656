import type { Clock } from '../../../runtime/clock.ts'
import type { Emit } from '../../../runtime/event.ts'
import type { Unusable } from '../../../venue/record/lacking.ts'
import type { PushStatus } from '../../../venue/venue.ts'
import type { Purpose } from '../rules/places.ts'

/** Reports at most this many different faults in `REASONS_MS`. */
const MAX_REASONS = 20
const REASONS_MS = 3_600_000

/** Whether the push works, and why not. */
interface Health {
  opened(purpose: Purpose): void
  /** None is left for this purpose. `why` is null if it is not needed any more. */
  lost(purpose: Purpose, why: string | null): void
  /** Prices do not come, although there is a connection. */
  silent(why: string): void
  /** Prices came. */
  priced(): void
  unusable(...some: readonly Unusable[]): void
  status(): Pick<PushStatus, 'open' | 'since' | 'why' | 'marketsAt'>
  stopped(): void
}

/** Reports an outage once, however often connections are tried. */
export function createHealth({ clock, emit }: { clock: Clock; emit: Emit }): Health {
  const open = new Set<Purpose>()
  let since = clock.now()
  let marketsAt: number | null = null
  const whys = new Map<Purpose, string>()
  let isDown: boolean | null = null
  let reasons = { some: new Set<string>(), mono: clock.monotonic() }

  const why = () => whys.get('market_stats') ?? whys.get('account_all') ?? null
  const isOpen = () => open.size > 0

  function changed(before: boolean): void {
    if (isOpen() !== before) since = clock.now()
  }

  function settle(): void {
    const because = why()
    // Before the first prices, nobody knows whether all is well.
    if (because === null && marketsAt === null) return
    if (isDown === (because !== null)) return
    isDown = because !== null
    emit({ is: 'push', why: because })
  }

  return {
    opened(purpose) {
      const before = isOpen()
      open.add(purpose)
      changed(before)
      // Only prices show that the connection for prices works.
      if (purpose !== 'market_stats') whys.delete(purpose)
      settle()
    },
    lost(purpose, because) {
      const before = isOpen()
      open.delete(purpose)
      if (because === null) whys.delete(purpose)
      else whys.set(purpose, because)
      changed(before)
      settle()
    },
    silent(because) {
      if (!whys.has('market_stats')) whys.set('market_stats', because)
      settle()
    },
    priced() {
      marketsAt = clock.now()
      whys.delete('market_stats')
      settle()
    },
    unusable(...some) {
      if (clock.monotonic() - reasons.mono >= REASONS_MS)
        reasons = { some: new Set(), mono: clock.monotonic() }
      for (const { what, why: because } of some) {
        const reason = `${what}: ${because}`
        if (reasons.some.has(reason) || reasons.some.size >= MAX_REASONS) continue
        reasons.some.add(reason)
        emit({ is: 'venue-unusable', call: 'push', what, why: because, count: 1 })
      }
    },
    status: () => ({ open: isOpen(), since, why: why(), marketsAt }),
    stopped() {
      if (isOpen()) since = clock.now()
      open.clear()
    },
  }
}
