/** Generates customers from many countries, with names in their scripts and missing data as in the service. */
import type { Columns } from '../store/schema.ts';
import type { Random } from './random.ts';

/**
 * Lists are separated by `|`; in postal codes and phone numbers `#` is a digit and `@` a letter. By default, people pay
 * in USD, speak EN, and pay no tax. With `familyFirst`, the family name comes first, without a space.
 */
type Place = Readonly<
  Record<'country' | 'first' | 'last' | 'cities' | 'streets' | 'phone', string> &
    Partial<Record<'currency' | 'language' | 'states' | 'postal', string>>
> & { readonly weight: number; readonly taxPercent?: number; readonly familyFirst?: boolean };

const PLACES: readonly Place[] = [
  {
    ...{ country: 'US', weight: 42, states: 'CA|TX|FL|NY|ID|OH|WA|GA|IL|CO', postal: '#####' },
    phone: '+1-208-555-01##',
    first: 'Mary|James|Linda|Robert|Patricia|Michael|Jennifer|William|Shawna|DeAndre|Siobhán',
    last: "Smith|Johnson|Brown|Garcia|Miller|Davis|Wilson|O'Brien|Lee|Van Buren|St. John|Nguyen",
    cities: 'Boise|Austin|Tampa|Albany|Fresno|Columbus',
    streets: 'Main St|Oak Ave|Maple Dr|2nd St #4|Sunset Blvd',
  },
  {
    ...{ country: 'CA', weight: 8, currency: 'CAD', taxPercent: 5, states: 'ON|QC|BC|AB' },
    ...{ postal: '@#@ #@#', phone: '+1-416-555-01##', first: 'Emma|Liam|Chloé|Noah|Zoë' },
    ...{ last: "Tremblay|Roy|Singh|MacDonald|Côté|D'Amour", cities: 'Toronto|Montréal|Calgary' },
    streets: 'King St W|Rue Sainte-Catherine',
  },
  {
    ...{ country: 'GB', weight: 9, currency: 'GBP', taxPercent: 20, postal: '@@# #@@' },
    ...{ phone: '+44 20 7946 0###', first: 'Oliver|Amelia|Harry|Isla|Nigel' },
    ...{ last: "Taylor|Evans|O'Connor|Hughes-Jones|Patel", cities: 'Leeds|Bristol|Cardiff' },
    streets: 'High Street|Station Road|The Mews',
  },
  {
    ...{ country: 'AU', weight: 7, currency: 'AUD', taxPercent: 10, states: 'NSW|VIC|QLD|WA' },
    ...{ postal: '####', phone: '+61 491 570 1##', first: 'Jack|Charlotte|Lachlan|Matilda' },
    ...{ last: "Nguyen|Kelly|O'Neill|White", cities: 'Perth|Sydney|Cairns' },
    streets: 'George St|Beach Rd',
  },
  {
    ...{ country: 'DE', weight: 6, currency: 'EUR', language: 'DE', taxPercent: 19 },
    ...{ postal: '#####', phone: '+49 30 23125 ###', first: 'Jürgen|Anneliese|Björn|Käthe|Max' },
    ...{ last: 'Müller|Weiß|Schröder|von der Heide|Groß', cities: 'Köln|München|Görlitz' },
    streets: 'Hauptstraße|Am Mühlbach',
  },
  {
    ...{ country: 'FR', weight: 4, currency: 'EUR', language: 'FR', taxPercent: 20 },
    ...{ postal: '#####', phone: '+33 1 99 00 1# ##', first: 'Zoé|François|Hélène|Noël' },
    ...{ last: "Lefèvre|D'Arcy|Béranger|L'Hôte", cities: 'Orléans|Nîmes|Paris' },
    streets: "Rue de l'Église|Allée des Chênes",
  },
  {
    ...{ country: 'ES', weight: 3, currency: 'EUR', language: 'ES', taxPercent: 21 },
    ...{ postal: '#####', phone: '+34 910 00 1# ##', first: 'Íñigo|María José|Ángel|Lucía' },
    ...{ last: 'García Márquez|Núñez|de la Peña', cities: 'León|Cádiz' },
    streets: 'Calle Mayor|Plaza de España',
  },
  {
    ...{ country: 'BR', weight: 4, currency: 'BRL', language: 'PT', states: 'SP|RJ|BA' },
    ...{ postal: '#####-###', phone: '+55 11 95550 01##', first: 'João|Conceição|Luís|Íris' },
    ...{ last: 'Gonçalves|dos Santos|Araújo', cities: 'São Paulo|Niterói|Salvador' },
    streets: 'Rua das Flores|Avenida Brasil',
  },
  {
    ...{ country: 'SE', weight: 2, currency: 'SEK', taxPercent: 25, postal: '### ##' },
    ...{ phone: '+46 70 174 06 ##', first: 'Åsa|Göran|Märta', last: 'Åkesson|Öberg|Sjöström' },
    ...{ cities: 'Malmö|Umeå', streets: 'Storgatan' },
  },
  {
    ...{ country: 'PL', weight: 2, currency: 'PLN', taxPercent: 23, postal: '##-###' },
    ...{ phone: '+48 22 100 10 ##', first: 'Łukasz|Małgorzata|Święto' },
    ...{ last: 'Wójcik|Żeleński|Dąbrowska', cities: 'Łódź|Kraków', streets: 'ul. Długa' },
  },
  {
    ...{ country: 'GR', weight: 2, currency: 'EUR', taxPercent: 24, postal: '### ##' },
    ...{ phone: '+30 21 0000 01##', first: 'Γιώργος|Ελένη|Ἀθηνᾶ', last: 'Παπαδόπουλος|Νικολάου' },
    ...{ cities: 'Αθήνα|Θεσσαλονίκη', streets: 'Οδός Ερμού' },
  },
  {
    ...{ country: 'UA', weight: 2, postal: '#####', phone: '+380 44 000 01 ##' },
    ...{ first: 'Олена|Тарас|Юрій', last: 'Шевченко|Ковальчук|Їжакевич', cities: 'Київ|Львів' },
    streets: 'вул. Хрещатик',
  },
  {
    ...{ country: 'CN', weight: 2, familyFirst: true, postal: '######' },
    ...{
      phone: '+86 10 5555 01##',
      first: '伟|秀英|小龙|𠮷祥',
      last: '王|李|张|欧阳',
      cities: '上海|成都',
    },
    streets: '南京路',
  },
  {
    ...{ country: 'JP', weight: 3, currency: 'JPY', taxPercent: 10, familyFirst: true },
    ...{ states: '東京都|大阪府', postal: '###-####', phone: '+81 3 5550 01##' },
    ...{
      first: '花子|太郎|さくら|ケンジ',
      last: '山田|髙橋|渡邉',
      cities: '渋谷区|大阪市',
      streets: '神南',
    },
  },
  {
    ...{ country: 'KR', weight: 2, taxPercent: 10, familyFirst: true, postal: '#####' },
    ...{ phone: '+82 2 555 01##', first: '민준|서연|하은', last: '김|이|박', cities: '서울|부산' },
    streets: '세종대로',
  },
  {
    ...{ country: 'EG', weight: 1, phone: '+20 2 2555 01##', first: 'محمد|فاطمة|ليلى' },
    ...{ last: 'عبد الله|المصري', cities: 'القاهرة', streets: 'شارع النيل' },
  },
  {
    ...{ country: 'IL', weight: 1, taxPercent: 17, postal: '#######', phone: '+972 3 555 01##' },
    ...{ first: 'דוד|נועה|יעל', last: 'כהן|לוי|בן־עמי', cities: 'תל אביב' },
    streets: 'רחוב דיזנגוף',
  },
  {
    ...{ country: 'IN', weight: 4, currency: 'INR', taxPercent: 18, states: 'MH|DL|KA' },
    ...{ postal: '######', phone: '+91 22 5555 01##', first: 'प्रिया|अर्जुन|लक्ष्मी' },
    ...{ last: 'शर्मा|सिंह|पटेल', cities: 'मुंबई|दिल्ली', streets: 'महात्मा गांधी मार्ग' },
  },
  {
    ...{ country: 'TH', weight: 1, taxPercent: 7, postal: '#####', phone: '+66 2 555 01##' },
    ...{ first: 'สมชาย|มาลี|กิ่งแก้ว', last: 'ใจดี|ศรีสุข', cities: 'กรุงเทพมหานคร' },
    streets: 'ถนนสุขุมวิท',
  },
  {
    ...{ country: 'NZ', weight: 2, currency: 'NZD', taxPercent: 15, postal: '####' },
    ...{ phone: '+64 9 555 01##', first: 'Māia|Hēmi|Ruby', last: "Ngāta|Wilson|O'Hara" },
    ...{ cities: 'Whangārei|Nelson', streets: 'Queen St' },
  },
  {
    ...{ country: 'CH', weight: 2, currency: 'CHF', language: 'DE', taxPercent: 8 },
    ...{ postal: '####', phone: '+41 44 555 01 ##', first: 'Urs|Réto|Ladina' },
    ...{ last: 'Zürcher|Füglister', cities: 'Zürich|Genève', streets: 'Bahnhofstrasse' },
  },
];

/** Names that spreadsheets, shells, and parsers may mishandle. */
const AWKWARD_LAST_NAMES =
  'O\'Brien|Smith, Jr.|Miller "Mo"|=SUM(A1:A9)|-Dash|+Plus|@Home|Brown & Sons <Ltd>|Null|Semi;colon|Tab\tbed|Ng 👩‍🌾';

export type Customer = ReturnType<typeof generateCustomer>;

const LETTERS = 'ABCEGHJKLMNPRSTVXY'.split('');
const MAIL_HOSTS = ['example.com', 'example.org', 'example.net', 'mail.example'] as const;

const oneOf = (random: Random, texts: string) => random.pick(texts.split('|'));

function fill(random: Random, form: string): string {
  return form
    .replaceAll('#', () => String(random.integer(0, 9)))
    .replaceAll('@', () => random.pick(LETTERS));
}

function join({ familyFirst }: Place, first: string | null, last: string | null): string | null {
  const names = familyFirst ? [last, first] : [first, last];
  return names.filter((name) => name !== null).join(familyFirst ? '' : ' ') || null;
}

/** Derives the address from Latin names; other names get a generated address. */
function emailOf(random: Random, first: string, last: string): string {
  const plain = `${first}.${last}`
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^a-z.]/g, '');
  const name = plain.length > 4 ? plain : oneOf(random, 'sunny|blue.sky|hello|green+mail|it_s-me');
  return `${name}${random.integer(1, 999)}@${random.pick(MAIL_HOSTS)}`;
}

function addressOf(random: Random, place: Place): Address {
  return {
    phone: fill(random, place.phone),
    address1: `${random.integer(1, 299)} ${oneOf(random, place.streets)}`,
    address2: random.chance(0.2) ? `Apt ${random.integer(1, 40)}` : null,
    city: oneOf(random, place.cities),
    county: random.chance(0.05) ? 'Ada' : null,
  };
}

type Address = Pick<Columns<'purchase'>, 'phone' | 'address1' | 'address2' | 'city' | 'county'>;

const NO_ADDRESS: Address = {
  phone: null,
  address1: null,
  address2: null,
  city: null,
  county: null,
};

/** Customers of physical products have a full address; others often have no postal code. */
export function generateCustomer(random: Random, shipped: boolean) {
  const place = random.weigh(PLACES);
  const first = oneOf(random, place.first);
  const last = oneOf(random, random.chance(0.02) ? AWKWARD_LAST_NAMES : place.last);
  const gap = (probability: number) => !shipped && random.chance(probability);
  const firstName = gap(0.01) ? null : first;
  const lastName = gap(0.015) ? null : last;
  const isWithoutEmail = gap(0.01);
  const email = emailOf(random, first, last);
  const columns = {
    currency: place.currency ?? 'USD',
    language: place.language ?? 'EN',
    first_name: firstName,
    last_name: lastName,
    full_name: join(place, firstName, lastName),
    email: isWithoutEmail ? null : email,
    ...(shipped ? addressOf(random, place) : NO_ADDRESS),
    state: place.states && !gap(0.2) ? oneOf(random, place.states) : null,
    country: gap(0.004) ? null : place.country,
    postal_code: place.postal && !gap(0.3) ? fill(random, place.postal) : null,
  };
  return { taxPercent: place.taxPercent ?? 0, columns };
}
