import type english from '../en/platforms.ts'

export default {
  'platform.repeat': '(vielleicht doppelt)',
  'platform.also': 'und {n} weitere',
  'platform.more': '… und {n} weitere, die hier keinen Platz haben',
  'platform.or-say': 'oder schreib {line}',
  'platform.in-chat': 'in unserem Chat: {lines}',
  'platform.failed': 'Das hat nicht geklappt, mein Fehler. Bitte versuch es noch einmal.',

  'page.not-found': 'Nicht gefunden.',
  'page.too-many': 'Zu viele Versuche. Warte eine Minute.',
  'page.expired': 'Dieser Knopf ist zu alt. In unserem Chat zeigt /alerts, was aktiv ist.',
  'page.nobody': 'Hier bekommt niemand mehr Nachrichten.',
  'page.busy': 'Zu viel auf einmal. Warte bitte eine Minute.',
  'page.away': 'Perch ist noch nicht bereit. Drück gleich noch einmal.',
  'page.elsewhere': 'Das ist ein Knopf von Perch. Er wirkt in der Benachrichtigung, zu der er gehört.',
  'page.post-only': 'Hier geht nur POST.',
  'page.chat-only': 'Mach das in unserem Chat.',
  'page.done-before': 'Schon erledigt: Ein Knopf wirkt einmal.',

  // The page in a browser, before somebody has signed in, and what it refuses.
  'web.sign-in': 'Sag Perch in deinem Chat /page und öffne den Link, der dann kommt.',
  'web.code-over':
    'Dieser Link wurde schon benutzt oder ist älter als zehn Minuten. Mit /page bekommst du einen neuen.',
  'web.no-proof': 'Ich konnte nicht prüfen, wer du bist. Schließ das hier und öffne es neu aus unserem Chat.',
  'web.unknown': 'Ich kenne dich noch nicht. Sag mir zuerst in unserem Chat /start.',
  'web.shared': 'Deine Positionen sind privat: Öffne die Seite aus unserem privaten Chat.',
  'web.too-many': 'Zu viele Versuche. Warte eine Minute.',
  'web.other-site': 'Das darf nur die Seite selbst fragen.',
  'web.other-host': 'Diese Adresse ist nicht meine. PUBLIC_URL sagt, wo man die Seite erreicht.',
  'web.no-json': 'Hier wird nur JSON gelesen.',
  'web.too-large': 'Das ist zu viel.',
  'web.bad-request': 'Das kann ich nicht lesen.',

  'ntfy.topic': 'ein Topic oder dessen Adresse',
  'ntfy.elsewhere': 'Topics von {host} liegen unter {server}/',
  'pushover.key': 'deinen User Key',
  'push.browser': 'einen Browser, den du auf seiner Seite (/page) angibst',
  'webhook.address': 'eine https-Adresse',

  'discord.old-button': 'Diesen Knopf kenne ich nicht mehr.',
  'discord.old-button.menu': 'Menü',
  'discord.everyone': '@everyone kann ich nicht rufen. Nimm eine Rolle, die jeder erwähnen darf.',
  'discord.silent-role': 'Die Rolle {role} kann ich nicht erwähnen, also hört sie niemand.',
  'discord.silent-role.mend':
    'Erlaub allen, sie zu erwähnen (Servereinstellungen, Rollen), oder gib mir hier „Alle erwähnen“. Dann noch einmal.',
  'discord.deaf': 'Auf Discord höre ich niemanden: {why}',
  'discord.deaf.mend': 'Alarme gehen weiter hinaus. Nimm mich aus einigen Servern.',
  'discord.used-up': 'Ich komme {age} lang nicht mehr zu Discord',
  'discord.used-up.why':
    'Alle {total} Verbindungen, die Discord am Tag erlaubt, sind verbraucht. Etwas trennt oder startet mich zu oft.',
  'discord.used-up.still': 'Alarme gehen weiter hinaus. Befehle und Knöpfe gehen danach wieder.',
  'discord.shards-down': 'Discord: {n} von {count} Shards weg seit {time}',
  'discord.shards-down.which': '{shards}: {why}',
  'discord.shards-down.still':
    'Alarme gehen weiter hinaus. Auf den Servern {n:dieses Shards|dieser Shards} gehen Befehle und Knöpfe nicht.',
  'discord.shards-up': 'Discord: alle {count} Shards sind wieder da',

  'telegram.token': 'Telegram kennt mein Token nicht mehr',
  'telegram.token.mend': 'Hol dir ein neues bei @BotFather und starte mich damit.',
  'telegram.shared-token': 'Ein anderes Programm holt Nachrichten mit meinem Telegram-Token ab',
  'telegram.shared-token.mend':
    'Mir kann entgehen, was Leute schreiben. Stopp das Programm, oder hol dir ein neues Token bei @BotFather.',
  'telegram.unchecked':
    'Telegram hat nicht gesagt, wer hier Admin ist. Ich habe nichts getan. Versuch es in einer Minute wieder.',
  'telegram.foreign': 'Weitergeleitetes und Worte anderer Bots nehme ich nicht an. Schreib es bitte selbst.',
  'telegram.old-button': 'Dieser Knopf ist mir zu alt. Bitte tippe den Befehl.',
  'telegram.nameless':
    'Wenn du im Namen eines Chats schreibst, sehe ich nicht, wer du bist. Schreib bitte als du selbst.',
  'telegram.channel':
    'In einem Kanal sehe ich nicht, wer schreibt. Wenn du dort Admin bist, schick mir das in unserem privaten Chat:',
  'telegram.left-out':
    'Telegram lässt mich hier nur wenig schreiben: {n} {n:Frage blieb|Fragen blieben} offen. Frag mich privat.',
  'telegram.or-open': 'oder öffne {link}',

  'why.unproven': 'dort ist noch nichts angekommen',
  'why.no-chat': 'diesen Chat gibt es nicht',
  'why.channel-gone': 'den Kanal gibt es nicht mehr',
  'why.server-gone': 'den Server gibt es nicht mehr',
  'why.user-gone': 'den Nutzer gibt es nicht mehr',
  'why.removed': 'Perch wurde dort entfernt oder darf den Kanal nicht sehen',
  'why.direct-closed':
    'Direktnachrichten von Perch sind zu (öffne sie in Discord: Menü des Servers, Privatsphäre-Einstellungen)',
  'why.no-posting': 'in so einem Kanal kann niemand schreiben',
  'why.no-rights':
    'Perch darf dort nicht schreiben: Es braucht „Kanal ansehen“, „Nachrichten senden“ und „Links einbetten“',
  'why.user-unwritable': 'dem Nutzer kann niemand schreiben',
  'why.no-common-server': 'der Nutzer hat keinen Server mehr mit Perch gemeinsam',
  'why.locked': 'der Thread ist gesperrt',
  'why.browser-gone':
    'dieser Browser nimmt keine Benachrichtigungen mehr an (schalte sie auf seiner Seite wieder ein)',
  'why.push-key':
    'der Push-Dienst nimmt den Schlüssel von Perch nicht an (schalte Benachrichtigungen aus und ein; Betreiber: PUSH_CONTACT, Uhr)',
} satisfies Record<keyof typeof english, string>
