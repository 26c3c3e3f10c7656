import type { Clock } from '../../runtime/clock.ts'
import type { Events } from '../../runtime/event.ts'
import type { Route } from '../../runtime/route.ts'
import { type Report, watchProgress } from './progress.ts'

/** Answers over HTTP whether this process makes progress (`/healthz`) and is ready (`/readyz`). */
export function watchHealth(world: { events: Events; clock: Clock; marketPollMs: number }): {
  route: Route
  report(): Report
  stop(): void
} {
  const progress = watchProgress(world)
  return {
    route({ method, path }) {
      if (method !== 'GET' || (path !== '/healthz' && path !== '/readyz')) return null
      const report = progress.report()
      const good = path === '/readyz' ? report.ready : report.healthy
      return { status: good ? 200 : 503, type: 'application/json', body: `${JSON.stringify(report)}\n` }
    },
    ...progress,
  }
}
