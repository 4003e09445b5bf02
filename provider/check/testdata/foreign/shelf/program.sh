prog 'resources:
  a:
    type: shelf:index:Box
    properties: {title: a, color: blue, code: "1234567", tags: [y, x], labels: {env: dev}, owners: [{name: joe, mail: m}]}
  b:
    type: shelf:index:Box
    properties: {title: b, color: "${a.path}"}'
run stack init dev
run preview
run up --yes --skip-preview
prog 'resources:
  a:
    type: shelf:index:Box
    properties: {title: a, size: 4, code: "7654321", tags: [x, y, z], labels: {env: prod, team: t}, owners: [{name: joe}, {name: ann, mail: n}]}
  b:
    type: shelf:index:Box
    properties: {title: b, color: "${a.path}"}'
run preview
run up --yes --skip-preview
prog 'resources:
  a:
    type: shelf:index:Box
    properties: {title: a2, tags: [x]}
  b:
    type: shelf:index:Box
    properties: {title: b, color: "${a.path}"}
    options: {ignoreChanges: [labels]}'
run up --yes
sed -i 's/red/drift/' $NOTES/a2.box
run refresh --yes --skip-preview
run up --yes --skip-preview
run preview --expect-no-changes
run destroy --yes --skip-preview
