import type { Clock } from '../../runtime/clock.ts'
import type { Events } from '../../runtime/event.ts'
import type { Route } from '../../runtime/route.ts'
import { type Report, watchProgress } from './progress.ts'

/**
 * Answers over HTTP whether this process makes progress (`/healthz`), is ready (`/readyz`), and leads (`/leader`), for a proxy that
 * must find the one of several where pages are.
 */
export function watchHealth(world: { events: Events; clock: Clock; marketPollMs: number }): {
  route: Route
  report(): Report
  stop(): void
} {
  const progress = watchProgress(world)
  return {
    route({ method, path }) {
      if (method !== 'GET' || !/^\/(?:healthz|readyz|leader)$/.test(path)) return null
      const report = progress.report()
      const leads = report.role === undefined || report.role === 'leader'
      const good = path === '/leader' ? leads : path === '/readyz' ? report.ready : report.healthy
      return { status: good ? 200 : 503, type: 'application/json', body: `${JSON.stringify(report)}\n` }
    },
    ...progress,
  }
}
