// The service worker: shows notifications, and lets people acknowledge right in them. It keeps no copy of the page, which
// is private and would be old. It imports nothing, so that browsers without module workers run it.

/** The content of a notification, as the adapter `push` writes it. */
interface Content {
  title: string
  alertIds: readonly number[]
  body: string
  /** A later notification with the same tag takes the place of this one. */
  tag: string
  silent: boolean
  /** When it was made: the server's wall time. The reader has seen nothing later. */
  at: number
  lang: string
  /** How to acknowledge: the address of a button that works once, or else a line for the page's own session. */
  ack: { label: string; url: string | null; line: string } | null
  /** The page. */
  url: string
}

// The parts of a service worker that are used here: the types of workers and those of pages exclude each other.
interface WorkerEvent extends Event {
  waitUntil(work: Promise<unknown>): void
}
interface Worker {
  location: Location
  registration: ServiceWorkerRegistration
  clients: {
    claim(): Promise<void>
    matchAll(of: { type: 'window' }): Promise<readonly { url: string; focus(): Promise<unknown> }[]>
    openWindow(url: string): Promise<unknown>
  }
  skipWaiting(): Promise<void>
  addEventListener(type: 'install' | 'activate', heard: (event: WorkerEvent) => void): void
  addEventListener(
    type: 'push',
    heard: (event: WorkerEvent & { data: { json(): unknown } | null }) => void,
  ): void
  addEventListener(
    type: 'notificationclick',
    heard: (event: WorkerEvent & { notification: Notification; action: string }) => void,
  ): void
}

const worker = self as unknown as Worker
/** Addresses of the page begin with this, also where a proxy puts Perch below a path. */
const page = new URL('.', worker.location.href).href
/** The folder of the icon, which changes with each version of the page. */
const assets = new URL(worker.location.href).searchParams.get('assets') ?? `${page}a/`

worker.addEventListener('install', (event) => event.waitUntil(worker.skipWaiting()))
worker.addEventListener('activate', (event) => event.waitUntil(worker.clients.claim()))

worker.addEventListener('push', (event) => {
  if (event.data === null) return
  const content = event.data.json() as Content
  event.waitUntil(show(content, content.title))
})

worker.addEventListener('notificationclick', (event) => {
  const content = event.notification.data as Content
  event.notification.close()
  event.waitUntil(event.action === 'ack' ? acknowledge(content) : openPage(content))
})

function show(content: Content, title: string): Promise<void> {
  const { body, tag, silent, lang, ack } = content
  const options = {
    ...{ body, tag, silent, lang, data: content },
    // A notification that takes the place of another one would make no sound without this.
    renotify: !silent,
    icon: `${assets}icon-180.png`,
    actions: ack === null ? [] : [{ action: 'ack', title: ack.label }],
  }
  return worker.registration.showNotification(title, options)
}

/** A press without effect shows the notification again: nobody must believe that they have acknowledged. */
async function acknowledge(content: Content): Promise<void> {
  const { ack, title } = content
  if (ack === null) return
  const pressed = await (ack.url === null ? sayLine(ack.line, content) : press(ack.url)).catch(() => false)
  if (pressed === false) await show(content, `⚠ ${title}`)
  if (typeof pressed === 'string') await show({ ...content, body: pressed, ack: null }, `⚠ ${title}`)
}

/** Perch says why a button has no effect any more, as when its alert is over. Then the same press would help nobody. */
async function press(url: string): Promise<boolean | string> {
  const answer = await fetch(url, { method: 'POST' })
  return answer.status === 409 || answer.status === 410 ? await answer.text() : answer.ok
}

/** The same press twice has the same id, so it counts once. The answer is in words, so the alerts themselves are looked at. */
async function sayLine(line: string, { tag, at, alertIds }: Content): Promise<boolean> {
  const said = await fetch(`${page}line`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id: `push-${tag}`, line, seenUntil: at }),
  })
  if (!said.ok) return false
  const seen = await fetch(`${page}glance`)
  if (!seen.ok) return false
  const { firing } = (await seen.json()) as {
    firing: readonly { alertId: number; heed: { is: string } }[]
  }
  return !firing.some(({ alertId, heed }) => alertIds.includes(alertId) && heed.is === 'waiting')
}

async function openPage({ url }: Content): Promise<void> {
  const open = await worker.clients.matchAll({ type: 'window' })
  const one = open.find((client) => client.url.startsWith(page.replace(/\/$/, '')))
  await (one === undefined ? worker.clients.openWindow(url) : one.focus())
}
