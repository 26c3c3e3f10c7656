import { type Form, link, list, model, oneOf, required, text, truth, whole } from '../form.ts'
import type { Json } from '../refusals.ts'

/** https://docs.discord.com/developers/resources/message#embed-object-embed-limits */
const MOST_EMBEDS = 10
const TITLE = 256
const DESCRIPTION = 4096
const FIELDS = 25
const FIELD_NAME = 256
const FIELD_VALUE = 1024
const FOOTER = 2048
const AUTHOR = 256
const ALL_TOGETHER = 6000

export interface Embed {
  title: string
  description: string
  color: number | null
  fields: { name: string; value: string }[]
  footer: string
  author: string
  json: Json
}

export function checkEmbeds(form: Form, value: unknown): Embed[] {
  const embeds: Embed[] = []
  for (const [index, item] of list(form, value, { max: MOST_EMBEDS }).entries()) {
    const embed = checkEmbed(form.at(index), item)
    if (embed) embeds.push(embed)
  }
  const length = embeds.reduce((sum, embed) => sum + lengthOf(embed), 0)
  if (length > ALL_TOGETHER) {
    form.fail('MAX_EMBED_SIZE_EXCEEDED', `Embed size exceeds maximum size of ${ALL_TOGETHER}`)
  }
  return embeds
}

function checkEmbed(form: Form, item: unknown): Embed | null {
  const json = model(form, item, EMBED_FIELDS)
  if (!json) return null
  oneOf(form.at('type'), json['type'], ['rich'])
  link(form.at('url'), json['url'])
  checkTime(form.at('timestamp'), json['timestamp'])
  checkPicture(form.at('image'), json['image'])
  checkPicture(form.at('thumbnail'), json['thumbnail'])
  const footer = part(form.at('footer'), json['footer'], ['text', 'icon_url', 'proxy_icon_url'])
  const author = part(form.at('author'), json['author'], ['name', 'url', 'icon_url', 'proxy_icon_url'])
  return {
    title: text(form.at('title'), json['title'], { max: TITLE }) ?? '',
    description: text(form.at('description'), json['description'], { max: DESCRIPTION }) ?? '',
    color: whole(form.at('color'), json['color'], { min: 0, max: 0xff_ff_ff }) ?? null,
    fields: checkFields(form.at('fields'), json['fields']),
    footer: (footer && text(form.at('footer', 'text'), footer['text'], { max: FOOTER, must: true })) ?? '',
    author: (author && text(form.at('author', 'name'), author['name'], { max: AUTHOR, must: true })) ?? '',
    json: { ...json, type: 'rich' },
  }
}

const EMBED_FIELDS = 'title type description url timestamp color footer image thumbnail author fields'.split(
  ' ',
)

function checkFields(form: Form, value: unknown): Embed['fields'] {
  return list(form, value, { max: FIELDS }).flatMap((item, index) => {
    const at = form.at(index)
    const field = model(at, item, ['name', 'value', 'inline'])
    if (!field) return []
    truth(at.at('inline'), field['inline'])
    return [
      {
        name: text(at.at('name'), field['name'], { max: FIELD_NAME, must: true }) ?? '',
        value: text(at.at('value'), field['value'], { max: FIELD_VALUE, must: true }) ?? '',
      },
    ]
  })
}

/** Nothing to see in it: Discord takes such an embed for none. */
export function isEmptyEmbed({ title, description, fields, footer, author, json }: Embed): boolean {
  return !(
    title ||
    description ||
    fields.length > 0 ||
    footer ||
    author ||
    json['image'] ||
    json['thumbnail']
  )
}

function lengthOf({ title, description, fields, footer, author }: Embed): number {
  const inFields = fields.reduce((sum, { name, value }) => sum + name.length + value.length, 0)
  return title.length + description.length + footer.length + author.length + inFields
}

function part(form: Form, value: unknown, fields: readonly string[]): Json | null {
  return value === undefined || value === null ? null : model(form, value, fields)
}

function checkPicture(form: Form, value: unknown): void {
  const picture = part(form, value, ['url', 'proxy_url', 'height', 'width'])
  if (!picture) return
  if (!picture['url']) required(form.at('url'))
  link(form.at('url'), picture['url'], ['http:', 'https:', 'attachment:'])
}

function checkTime(form: Form, value: unknown): void {
  const said = text(form, value, { max: 64 })
  if (said && Number.isNaN(Date.parse(said))) {
    form.fail('DATE_TIME_TYPE_PARSE', `Could not parse ${said}. Should be ISO8601.`)
  }
}
