import { type Form, newForm } from './form.ts'

export type Json = Record<string, unknown>

/** An error that Discord answers; the codes are those of https://docs.discord.com/developers/topics/opcodes-and-status-codes */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly status: number
  readonly body: Json
  constructor(status: number, code: number, message: string, more: Json = {}) {
    super(`${status} ${code} ${message}`)
    this.status = status
    this.body = { message, code, ...more }
  }
}

const REFUSALS = {
  unauthorized: [401, 0, '401: Unauthorized'],
  notFound: [404, 0, '404: Not Found'],
  wrongMethod: [405, 0, '405: Method Not Allowed'],
  unknownChannel: [404, 10003, 'Unknown Channel'],
  unknownGuild: [404, 10004, 'Unknown Guild'],
  unknownMessage: [404, 10008, 'Unknown Message'],
  unknownUser: [404, 10013, 'Unknown User'],
  unknownWebhook: [404, 10015, 'Unknown Webhook'],
  unknownInteraction: [404, 10062, 'Unknown interaction'],
  unknownApplication: [404, 10002, 'Unknown Application'],
  tooManyCommands: [400, 30032, 'Maximum number of application commands reached (100)'],
  tooManyCreates: [400, 30034, 'Max number of daily application command creates has been reached (200)'],
  tooLarge: [413, 40005, 'Request entity too large'],
  alreadyAcknowledged: [400, 40060, 'Interaction has already been acknowledged.'],
  tooManyFollowUps: [400, 40094, 'This interaction has reached the maximum number of follow-up messages'],
  wrongUserAgent: [403, 40333, 'internal network error'],
  missingAccess: [403, 50001, 'Missing Access'],
  notTheAuthor: [403, 50005, 'Cannot edit a message authored by another user'],
  empty: [400, 50006, 'Cannot send an empty message'],
  closedToMessages: [403, 50007, 'Cannot send messages to this user'],
  noText: [400, 50008, 'Cannot send messages in a non-text channel'],
  missingPermissions: [403, 50013, 'Missing Permissions'],
  wrongWebhookToken: [401, 50027, 'Invalid Webhook Token'],
  wrongRecipient: [400, 50033, 'Invalid Recipient(s)'],
  wrongVersion: [400, 50041, 'Invalid API version'],
  wrongJson: [400, 50109, 'The request body contains invalid JSON.'],
  noMutualGuild: [403, 50278, 'Cannot send messages to this user due to having no mutual guilds'],
  noHistory: [400, 160002, 'Cannot reply without permission to read message history'],
} as const satisfies Record<string, readonly [status: number, code: number, message: string]>

export function refusal(why: keyof typeof REFUSALS): Refusal {
  const [status, code, message] = REFUSALS[why]
  return new Refusal(status, code, message)
}

/** Lets `check` look at a form; every mistake goes back together, nested as Discord nests them. */
export function checked<T>(check: (form: Form) => T): T {
  const { form, errors } = newForm()
  const value = check(form)
  const found = errors()
  if (found) throw new Refusal(400, 50035, 'Invalid Form Body', { errors: found })
  return value
}
