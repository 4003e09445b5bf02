prog 'resources:
  a:
    type: notes:index:Note
    properties: {name: a, text: one, pin: "1234567", labels: {env: dev}, author: {name: joe, mails: [x, y]}}
  b:
    type: notes:index:Note
    properties: {name: b, text: "${a.path}"}'
run stack init dev
run preview
run up --yes --skip-preview
prog 'resources:
  a:
    type: notes:index:Note
    properties: {name: a, text: two, pin: "7654321", size: 4, labels: {env: prod, team: t}, author: {name: joe, mails: [y]}}
  b:
    type: notes:index:Note
    properties: {name: b, text: "${a.path}"}'
run preview
run up --yes --skip-preview
prog 'resources:
  a:
    type: notes:index:Note
    properties: {name: a2, text: two}
  b:
    type: notes:index:Note
    properties: {name: b, text: "${a.path}"}
    options: {ignoreChanges: [labels]}'
run up --yes
sed -i 's/two/drift/' $NOTES/a2.json
run refresh --yes --skip-preview
run up --yes --skip-preview
run preview --expect-no-changes
run destroy --yes --skip-preview
