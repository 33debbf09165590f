/** The styles of all pages: light and dark, wide and narrow, on a screen and on A4. */
export const styles = `
:root{--text:#1d2330;--muted:#5b6475;--page:#fff;--panel:#f4f6f9;--line:#d9dee7;--good:#1a7f4b;--bad:#b3261e;--a:#9a5b00;--b:#2f5fc0;--c:#8a4fc7}
@media (prefers-color-scheme:dark){:root{--text:#e4e8f0;--muted:#9aa4b8;--page:#12151c;--panel:#1c212b;--line:#313948;--good:#4cc38a;--bad:#ff7a70;--a:#f0a93b;--b:#7ca6ff;--c:#c08df2}}
*{box-sizing:border-box}body{margin:0;background:var(--page);color:var(--text);font:15px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
main{max-width:1200px;margin:0 auto;padding:32px 20px 64px}h1{margin:0 0 4px;font-size:26px;line-height:1.25}h2{margin:40px 0 10px;font-size:19px}h3{margin:22px 0 6px;font-size:15px}
p{margin:0 0 12px}.muted,figcaption,dt,.axis{color:var(--muted)}.good{--k:var(--good)}.bad{--k:var(--bad)}strong.good,strong.bad{color:var(--k)}
.digits{white-space:nowrap;font-variant-numeric:tabular-nums}.digits i{font-style:normal;margin-left:.2em}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(150px,1fr));gap:12px;margin:20px 0;padding:0;list-style:none}
.cards li{background:var(--panel);border-left:4px solid var(--k,var(--line));border-radius:6px;padding:10px 14px}.cards b{display:block;font-size:22px}.cards span{color:inherit}.cards li>span{color:var(--muted)}
.Matched,.complete{--k:var(--good)}.Differs,.declined{--k:var(--bad)}.NotInLedger,.executing{--k:var(--a)}.NotAtService,.approved{--k:var(--b)}.Ambiguous,.NotSettled,.other{--k:var(--c)}.NothingToBook,.Expected,.OtherPeriod{--k:var(--muted)}
svg{display:block;width:100%}.share{height:14px;margin:0 0 14px}.share rect,.bars rect,.days rect{fill:var(--k,var(--b))}
.figures{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,340px),1fr));gap:20px 32px}figure{margin:0;break-inside:avoid}figcaption{margin:2px 0 4px;font-size:13.5px}figcaption b{color:var(--text)}
.days{height:54px;border-bottom:1px solid var(--line)}.days.fees{height:30px;--k:var(--c)}.axis{display:flex;margin:0 0 8px;padding:0;list-style:none;font-size:11px}.axis li{flex:1 1 0;width:0;white-space:nowrap}
.bars{margin:0;padding:0;list-style:none}.bars li{display:grid;grid-template-columns:minmax(0,1fr) auto;gap:0 12px;align-items:end;padding:2px 0;font-size:13.5px;break-inside:avoid}.bars svg{height:10px;grid-row:2;grid-column:1/3}.bars line{stroke:var(--muted);vector-effect:non-scaling-stroke}
table{border-collapse:collapse;width:100%;font-size:13.5px;margin:0 0 14px}th,td{text-align:left;padding:5px 10px 5px 0;border-bottom:1px solid var(--line);vertical-align:top}th{color:var(--muted);font-weight:600;overflow-wrap:normal}td.amount,th.amount{text-align:right}td.id{min-width:90px}td:not(.id){overflow-wrap:break-word}tr{break-inside:avoid}
dl{margin:0}dl>div{display:grid;grid-template-columns:160px minmax(0,1fr);gap:12px;padding:4px 0;border-bottom:1px solid var(--line)}dd{margin:0}code{font-size:13px}
@media (max-width:640px){main{padding:20px 14px 40px}dl>div{grid-template-columns:1fr;gap:0}
thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}table,tbody,tr,td{display:block;min-width:0}tr{padding:6px 0;border-bottom:1px solid var(--line)}td{display:flex;justify-content:space-between;gap:16px;padding:1px 0;border:0;text-align:right}td:empty{display:none}td::before{content:attr(data-label);color:var(--muted);text-align:left;flex:none}}
@media print{@page{size:A4;margin:14mm}:root{--text:#000;--muted:#444;--page:#fff;--panel:#fff;--line:#bbb;--good:#14653b;--bad:#99201a;--a:#7d4a00;--b:#274f9f;--c:#6e3fa0}body{font-size:10.5pt;print-color-adjust:exact;-webkit-print-color-adjust:exact}main{max-width:none;padding:0}h2{margin-top:22px}h2,h3{break-after:avoid}table{font-size:9pt}.figures{grid-template-columns:1fr 1fr}.cards li{border:1px solid var(--line);border-left:4px solid var(--k,var(--line))}}
`
