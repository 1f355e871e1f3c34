// Makes the PDFs of test/media/pdf, once, by hand: `node scripts/make-pdfs.mjs`. It needs LibreOffice
// (`soffice`), TeX (`pdflatex`) and Ghostscript (`gs`); Debian has them as libreoffice-writer-nogui,
// texlive-latex-base and ghostscript. The files are kept, since a later version of these programs makes
// other bytes. The texts are our own.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const media = fileURLToPath(new URL('../test/media/pdf/', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'make-pdfs-'));
const run = (program, ...args) => execFileSync(program, args, { cwd: folder, stdio: 'ignore' });
const keep = (made, name) => copyFileSync(join(folder, made), join(media, name));

// A letter as a word processor makes it: two pages, a table, umlauts, a list.
writeFileSync(
  join(folder, 'letter.html'),
  `<html><head><meta charset="utf-8"></head><body>
<h1>Minutes of the bakers' meeting</h1>
<p>Present: Käthe Müßig, Jürgen Öhler, Zoë. The sourdough starter called Gertrude is eleven years old.</p>
<ul><li>The oven on Maple Street needs a new thermostat.</li><li>Flour prices rose by 7.5 %.</li></ul>
<table border="1"><tr><td>Rye</td><td>140 loaves</td></tr><tr><td>Spelt</td><td>62 loaves</td></tr></table>
<p style="page-break-before: always">Second page. The next meeting is on the twelfth of March, beside the windmill.</p>
</body></html>`,
);
run('soffice', '--headless', '--convert-to', 'odt:writer8', 'letter.html');
run('soffice', '--headless', '--convert-to', 'pdf', 'letter.odt');
keep('letter.pdf', 'libreoffice.pdf');

// A paper as TeX makes it: ligatures, hyphens at the ends of lines, formulas, two columns, three pages.
const paragraph =
  'The efficient office staff find affluent waffles difficult to afford. An extraordinarily long ' +
  'sentence about thermodynamics, crystallography and oceanography makes hyphenation unavoidable. ';
writeFileSync(
  join(folder, 'paper.tex'),
  `\\documentclass[twocolumn]{article}\\begin{document}
\\title{On the Fluffiness of Waffles}\\author{A. Baker}\\date{}\\maketitle
\\section{Introduction} ${paragraph.repeat(8)} Let $E = mc^2$ and $\\alpha_1 \\leq \\beta$.
\\clearpage\\section{Method} ${paragraph.repeat(4)} The quokka protocol was followed.
\\clearpage\\section{Results} Page three says zugzwang.
\\end{document}`,
);
run('pdflatex', '-interaction=batchmode', 'paper.tex');
keep('paper.pdf', 'tex.pdf');

// Plain PostScript through Ghostscript; the same encrypted, and as a scan: a page that is one picture.
const pages = [
  'Ghostscript wrote this page about lighthouses.',
  'The second page mentions a marmalade recipe.',
];
writeFileSync(
  join(folder, 'plain.ps'),
  `%!PS\n${pages
    .map((text) => `/Helvetica findfont 14 scalefont setfont 72 700 moveto (${text}) show showpage`)
    .join('\n')}\n`,
);
const pdf = ['-q', '-dBATCH', '-dNOPAUSE', '-sDEVICE=pdfwrite'];
run('gs', ...pdf, '-sOutputFile=plain.pdf', 'plain.ps');
keep('plain.pdf', 'ghostscript.pdf');
run(
  'gs',
  ...pdf,
  '-sOwnerPassword=owner',
  '-sUserPassword=open sesame',
  '-dEncryptionR=3',
  '-dKeyLength=128',
  '-sOutputFile=locked.pdf',
  'plain.ps',
);
keep('locked.pdf', 'encrypted.pdf');
run(
  'gs',
  '-q',
  '-dBATCH',
  '-dNOPAUSE',
  '-sDEVICE=pdfimage8',
  '-r40',
  '-sOutputFile=scan.pdf',
  'plain.ps',
);
keep('scan.pdf', 'scan.pdf');

// As programs of the nineties wrote Japanese, Chinese and Korean: in the encodings of that time, with
// fonts that are not inside, so that only the tables of a reader say which characters are meant.
const old = [
  ['90ms-RKSJ-H', 'Japan1', '93fa967b8cea82cc95b68f91'], // Shift-JIS
  ['GBK-EUC-H', 'GB1', 'd6d0cec4b5c4cec4bcfe'], // GBK
  ['ETen-B5-H', 'CNS1', 'a4a4a4e5aabaa4e5a5f3'], // Big5
  ['KSCms-UHC-H', 'Korea1', 'c7d1b1b9beee'], // UHC
  ['UniJIS-UCS2-H', 'Japan1', '30ab30bf30ab30ca'], // UCS-2
];
const objects = [
  '<< /Type /Catalog /Pages 2 0 R >>',
  `<< /Type /Pages /Kids [${old.map((_, at) => `${3 + 4 * at} 0 R`).join(' ')}] /Count ${old.length} >>`,
  ...old.flatMap(([encoding, ordering, hex], at) => {
    const [page, content, font, cid] = [0, 1, 2, 3].map((more) => 3 + 4 * at + more);
    const text = `BT /F1 24 Tf 20 20 Td <${hex}> Tj ET`;
    return [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 60] /Contents ${content} 0 R /Resources << /Font << /F1 ${font} 0 R >> >> >>`,
      `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
      `<< /Type /Font /Subtype /Type0 /BaseFont /Old${page} /Encoding /${encoding} /DescendantFonts [${cid} 0 R] >>`,
      `<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Old${page} /CIDSystemInfo << /Registry (Adobe) /Ordering (${ordering}) /Supplement 2 >> /FontDescriptor << /Type /FontDescriptor /FontName /Old${page} /Flags 4 /FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 900 /Descent -200 /CapHeight 700 /StemV 80 >> >>`,
    ];
  }),
];
let file = '%PDF-1.4\n';
const places = objects.map((object, at) => {
  const place = file.length;
  file += `${at + 1} 0 obj\n${object}\nendobj\n`;
  return `${String(place).padStart(10, '0')} 00000 n \n`;
});
writeFileSync(
  join(media, 'old-cjk.pdf'),
  `${file}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join('')}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`,
);

// Broken: the end with the table of objects is missing, or everything after the head.
const whole = readFileSync(join(folder, 'plain.pdf'));
writeFileSync(join(media, 'cut.pdf'), whole.subarray(0, whole.length - 400));
writeFileSync(join(media, 'head-only.pdf'), whole.subarray(0, 30));
rmSync(folder, { recursive: true });
