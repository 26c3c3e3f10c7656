import type { Unfit } from '../../src/chat.ts'

/** For people, and for docs/commands.md. */
export const naming = { what: 'a topic, or the address of one', example: 'perch-x7Qm29' }

/** https://github.com/binwiederhier/ntfy, server.go: topicRegex. Digits alone are a telephone number or a slip. */
const TOPIC = /^(?=.*[a-z])[-_a-z\d]{1,64}$/i
const SHOWN = 2

/** A topic, and its server as an address without a slash at the end. */
export interface Topic {
  server: string
  topic: string
}

/** A bare name is a topic of the operator's server; null when it is neither that nor the address of a topic. */
export function namedTopic(typed: string, server: string): Topic | Unfit | null {
  if (TOPIC.test(typed)) return { server, topic: typed }
  if (!/^https?:\/\//i.test(typed) || !URL.canParse(typed)) return null
  const url = new URL(typed)
  const [, folder = '', topic = ''] = /^(.*)\/([^/]+)$/.exec(url.pathname) ?? []
  if (!TOPIC.test(topic) || url.search !== '' || url.hash !== '' || url.username !== '') return null
  const named = `${url.origin}${folder}`
  // The operator's host may be an inner one: what else listens there is nobody's to write to.
  if (url.origin === new URL(server).origin && named !== server)
    return { unfit: `the topics of ${url.host} are at ${server}/` }
  return { server: named, topic }
}

/** A topic is a password: whoever knows it reads what is said there. */
export function shownTopic({ server, topic }: Topic): string {
  const end = topic.length > 4 * SHOWN ? topic.slice(-SHOWN) : ''
  return `${new URL(server).host}/…${end}`
}
